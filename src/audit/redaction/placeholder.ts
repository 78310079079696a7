import type { KeyedDigest } from './keyedDigest.ts';

/** Stands for a secret: `[secret:github-token #0123456789abcdef]`. */
export function secretPlaceholder(type: string, value: string, digest: KeyedDigest): string {
  return `[secret:${type} #${digest.short(value)}]`;
}

/** Stands for what was too large to keep: `[cut:text 204800 bytes #0123456789abcdef]`. */
export function cutPlaceholder(what: string, value: string, digest: KeyedDigest): string {
  return `[cut:${what} ${Buffer.byteLength(value)} bytes #${digest.short(value)}]`;
}

/** Stands for a whole value of which only the digest is kept: `[digest 17 bytes #0123456789abcdef]`. */
export function digestPlaceholder(value: string, digest: KeyedDigest): string {
  return `[digest ${Buffer.byteLength(value)} bytes #${digest.short(value)}]`;
}
