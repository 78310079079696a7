import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { IconLoader } from '../client/iconLoader.ts';
import type { Icon } from '../protocol/model.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerManager } from '../servers/serverManager.ts';
import { type LoadedPicture, PictureBook, type Theme } from './pictureBook.ts';

/** What is known of one start of a server. */
interface Start {
  readonly launch: number | undefined;
  readonly loader: IconLoader;
  readonly book: PictureBook<vscode.Uri>;
}

/** Pictures that servers give themselves and their tools, loaded when a row asks for them. */
export class Icons implements Disposable {
  readonly #starts = new Map<ManagedServer, Start>();
  readonly #loaded: (server: ManagedServer) => void;
  readonly #subscription: Disposable;

  /** `loaded`: another picture of this server is there. */
  constructor(manager: ServerManager, loaded: (server: ManagedServer) => void) {
    this.#loaded = loaded;
    this.#subscription = manager.onDidChange(({ kind, server }) => {
      if (kind === 'removed') this.#forget(server);
      if (kind === 'tools') this.#renew(server);
    });
  }

  /** The picture, if it is there already; else it is fetched, and `undefined` stands for the default meanwhile. */
  get(server: ManagedServer, icons: readonly Icon[] | undefined): vscode.Uri | undefined {
    if (icons === undefined || icons.length === 0 || server.resolved?.kind !== 'resolved') return undefined;
    return this.#start(server).book.get(icons, themeNow());
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const server of Array.from(this.#starts.keys())) this.#forget(server);
  }

  /** A server that starts anew may be another one; what could not be fetched from the last one is tried again. */
  #start(server: ManagedServer): Start {
    const { state } = server;
    const launch = state.kind === 'running' ? state.launch : undefined;
    const known = this.#starts.get(server);
    if (known !== undefined && (launch === undefined || known.launch === launch)) return known;
    this.#forget(server);
    const target = server.resolved?.kind === 'resolved' ? server.resolved.launch : undefined;
    const loader = new IconLoader(target?.kind === 'http' ? { serverUrl: target.url } : {});
    const book = new PictureBook(
      (icons, theme) => picture(loader, icons, theme),
      () => this.#loaded(server),
    );
    const start = { launch, loader, book };
    this.#starts.set(server, start);
    return start;
  }

  #renew(server: ManagedServer): void {
    const start = this.#starts.get(server);
    start?.loader.forgetFailures();
    start?.book.renew();
  }

  #forget(server: ManagedServer): void {
    void this.#starts.get(server)?.loader.close();
    this.#starts.delete(server);
  }
}

async function picture(
  loader: IconLoader,
  icons: readonly Icon[],
  theme: Theme,
): Promise<LoadedPicture<vscode.Uri> | undefined> {
  const result = await loader.load(icons, theme);
  if (result.kind === 'none') return undefined;
  const { mimeType, bytes } = result.image;
  const data = Buffer.from(bytes).toString('base64');
  return { picture: vscode.Uri.parse(`data:${mimeType};base64,${data}`), size: data.length };
}

function themeNow(): Theme {
  const { kind } = vscode.window.activeColorTheme;
  return kind === vscode.ColorThemeKind.Light || kind === vscode.ColorThemeKind.HighContrastLight
    ? 'light'
    : 'dark';
}
