import { createHash } from 'node:crypto';

/** The longest name that language-model back ends take, in characters. */
export const MAX_MODEL_NAME = 64;

const HASH_LENGTH = 8;
const LONG_HASH_LENGTH = 32;

/** Names of our own tools for the model; no server's tool may take one. */
export const RESERVED_MODEL_NAMES: readonly string[] = ['search_tools', 'call_tool', 'read_result'];

/** What a model-facing name stands for. */
export interface ToolKey {
  readonly serverId: string;
  readonly toolName: string;
}

/**
 * The name under which a model calls a tool: `<server id>_<tool>`, or a cut and cleaned form of it with a hash of
 * both parts. Depends only on the two parts and the ids of the configured servers, so neither the order of start
 * nor the other tools can change it.
 *
 * `my` + `server_echo` and `my_server` + `echo` would share one plain name: it belongs to the longest id that it
 * starts with, the others get the hash.
 */
export function modelName(key: ToolKey, configuredIds: Iterable<string>): string {
  const plain = `${key.serverId}_${key.toolName}`;
  return isPlainAllowed(plain, key, configuredIds) ? plain : hashedName(key, HASH_LENGTH);
}

/** The name for a tool whose short name another one has too (chance, or a server that searched for it). */
export function longModelName(key: ToolKey): string {
  return hashedName(key, LONG_HASH_LENGTH);
}

/** Why a tool's name is outside the specification's rules (server/tools, "Tool Names"); undefined when it is not. */
export function oddNameReason(name: string): string | undefined {
  if (name.length === 0) return 'The name is empty.';
  if (name.length > 128) return `The name has ${name.length} characters; the specification allows 128.`;
  const odd = /[^A-Za-z0-9_.-]/u.exec(name);
  if (odd === null) return undefined;
  const code = odd[0].codePointAt(0) ?? 0;
  return `The name contains U+${code.toString(16).toUpperCase().padStart(4, '0')}; the specification allows letters, digits, "_", "-" and ".".`;
}

function isPlainAllowed(plain: string, key: ToolKey, configuredIds: Iterable<string>): boolean {
  if (key.serverId === '' || key.toolName === '') return false;
  if (plain.length > MAX_MODEL_NAME || !/^[A-Za-z0-9_-]+$/.test(plain)) return false;
  // A plain name that looks like a hashed one could be made to meet it.
  if (/_[0-9a-f]{8}$|_[0-9a-f]{32}$/.test(plain) || RESERVED_MODEL_NAMES.includes(plain)) return false;
  for (const id of configuredIds) {
    if (id.length > key.serverId.length && plain.startsWith(`${id}_`)) return false;
  }
  return true;
}

function hashedName(key: ToolKey, length: number): string {
  // JSON keeps the border between the two parts, and escapes what is not valid Unicode.
  const hash = createHash('sha256')
    .update(JSON.stringify([key.serverId, key.toolName]), 'utf8')
    .digest('hex');
  const clean = `${key.serverId}_${key.toolName}`
    .slice(0, MAX_MODEL_NAME)
    .replace(/[^A-Za-z0-9_-]/g, '_')
    .slice(0, MAX_MODEL_NAME - length - 1);
  return `${clean}_${hash.slice(0, length)}`;
}
