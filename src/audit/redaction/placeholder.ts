import type { KeyedDigest } from './keyedDigest.ts';

/** Size and `KeyedDigest.full` of a text that was too long to be looked at in one go. */
export interface WeighedText {
  readonly bytes: number;
  readonly digest: string;
}

/** As `cutPlaceholder` and `digestPlaceholder`, of a text that has been weighed. */
export function weighedPlaceholder(what: 'cut:json' | 'digest', { bytes, digest }: WeighedText): string {
  return `[${what} ${bytes} bytes #${digest.slice(digest.indexOf(':') + 1).slice(0, 16)}]`;
}

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
