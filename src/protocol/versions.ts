import type { Era } from './model.ts';

/** Revisions without a handshake that we speak, best first. */
export const modernVersions: readonly string[] = ['2026-07-28'];

/** Revisions with an `initialize` handshake that we speak, best first. */
export const legacyVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Every revision that we speak, best first. */
export const supportedVersions: readonly string[] = [...modernVersions, ...legacyVersions];

/** The era of a revision that we speak; `undefined` for any other text. */
export function eraOf(version: string): Era | undefined {
  if (modernVersions.includes(version)) return 'modern';
  return legacyVersions.includes(version) ? 'legacy' : undefined;
}

/** Our best revision among those that a server offers, modern before legacy. */
export function bestCommonVersion(offered: readonly string[]): string | undefined {
  return supportedVersions.find((version) => offered.includes(version));
}
