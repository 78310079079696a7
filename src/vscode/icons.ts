import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { IconLoader } from '../client/iconLoader.ts';
import type { Icon } from '../protocol/model.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerManager } from '../servers/serverManager.ts';

/** Pictures that servers give themselves and their tools, loaded when a row asks for them. */
export class Icons implements Disposable {
  readonly #loaders = new Map<ManagedServer, IconLoader>();
  readonly #images = new Map<string, vscode.Uri | undefined>();
  readonly #loaded: (server: ManagedServer) => void;
  readonly #subscription: Disposable;

  /** `loaded`: another picture of this server is there. */
  constructor(manager: ServerManager, loaded: (server: ManagedServer) => void) {
    this.#loaded = loaded;
    this.#subscription = manager.onDidChange(({ kind, server }) => {
      if (kind === 'removed') this.#forget(server);
    });
  }

  /** The picture, if it is there already; else it is fetched, and `undefined` stands for the default meanwhile. */
  get(server: ManagedServer, icons: readonly Icon[] | undefined): vscode.Uri | undefined {
    if (icons === undefined || icons.length === 0 || server.resolved?.kind !== 'resolved') return undefined;
    const key = JSON.stringify([server.id, icons.map(({ src }) => src)]);
    if (this.#images.has(key)) return this.#images.get(key);
    this.#images.set(key, undefined);
    void this.#load(server, icons, key);
    return undefined;
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const server of Array.from(this.#loaders.keys())) this.#forget(server);
  }

  async #load(server: ManagedServer, icons: readonly Icon[], key: string): Promise<void> {
    const result = await this.#loader(server).load(icons, themeNow());
    if (result.kind === 'none') return;
    const { mimeType, bytes } = result.image;
    const data = Buffer.from(bytes).toString('base64');
    this.#images.set(key, vscode.Uri.parse(`data:${mimeType};base64,${data}`));
    this.#loaded(server);
  }

  #loader(server: ManagedServer): IconLoader {
    const known = this.#loaders.get(server);
    if (known !== undefined) return known;
    const launch = server.resolved?.kind === 'resolved' ? server.resolved.launch : undefined;
    const loader = new IconLoader(launch?.kind === 'http' ? { serverUrl: launch.url } : {});
    this.#loaders.set(server, loader);
    return loader;
  }

  #forget(server: ManagedServer): void {
    void this.#loaders.get(server)?.close();
    this.#loaders.delete(server);
  }
}

function themeNow(): 'light' | 'dark' {
  const { kind } = vscode.window.activeColorTheme;
  return kind === vscode.ColorThemeKind.Light || kind === vscode.ColorThemeKind.HighContrastLight
    ? 'light'
    : 'dark';
}
