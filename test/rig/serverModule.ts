import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The part of VS Code's server object that the host uses. */
export type VsCodeServer = Readonly<{
  handleRequest(request: IncomingMessage, response: ServerResponse): unknown;
  handleUpgrade(request: IncomingMessage, socket: Duplex): unknown;
  dispose(): void;
}>;

type ServerCode = Readonly<{ createServer(address: null, args: unknown): Promise<unknown> }>;

/** Loads `server-main.js` and makes its server object without letting it listen by itself. */
export async function loadServer(url: string, args: unknown): Promise<VsCodeServer> {
  const main: unknown = await import(url);
  if (!hasMethod(main, 'loadCodeWithNls')) throw new Error(`${url} exports no loadCodeWithNls`);
  const code = await main.loadCodeWithNls();
  if (!isServerCode(code)) throw new Error(`${url} has no createServer`);
  const server = await code.createServer(null, args);
  if (!isServer(server)) throw new Error(`${url} made a server of an unknown shape`);
  return server;
}

function hasMethod<K extends string>(value: unknown, name: K): value is Record<K, () => Promise<unknown>> {
  return typeof value === 'object' && value !== null && name in value && isFunctionAt(value, name);
}

function isFunctionAt(value: object, name: string): boolean {
  return typeof Reflect.get(value, name) === 'function';
}

function isServerCode(value: unknown): value is ServerCode {
  return hasMethod(value, 'createServer');
}

function isServer(value: unknown): value is VsCodeServer {
  return ['handleRequest', 'handleUpgrade', 'dispose'].every((name) => hasMethod(value, name));
}
