import type { Icon } from '../protocol/model.ts';

/** What an icon's `src` allows us to do. */
export type IconSource =
  | { readonly kind: 'data'; readonly mimeType: string | undefined; readonly bytes: Uint8Array }
  | { readonly kind: 'fetch'; readonly url: URL }
  | { readonly kind: 'refused'; readonly reason: string };

const dataUri = /^data:([^,;]*)(?:;[^,;]*)*;base64,([A-Za-z0-9+/]*={0,2})$/i;

/**
 * Decides about an icon's address (specification: basic, "icons"): `data:` with Base64, or HTTPS on the origin of
 * the server itself, so that looking at a tool tells nobody else about it.
 * `serverUrl` is absent for servers that have no origin, as on stdio.
 */
export function readIconSource(src: string, serverUrl: string | undefined, maxBytes: number): IconSource {
  // Length first: nothing else looks at a text that is too long.
  if (src.length > Math.ceil(maxBytes / 3) * 4 + 200) return { kind: 'refused', reason: 'too large' };
  if (/^data:/i.test(src)) return readDataUri(src);
  const url = URL.parse(src);
  if (url === null) return { kind: 'refused', reason: 'not an address' };
  if (url.protocol !== 'https:')
    return { kind: 'refused', reason: `the scheme ${url.protocol} is not allowed` };
  if (url.username !== '' || url.password !== '')
    return { kind: 'refused', reason: 'credentials in the address' };
  const origin = serverUrl === undefined ? undefined : URL.parse(serverUrl)?.origin;
  if (url.origin !== origin) return { kind: 'refused', reason: 'not on the origin of the server' };
  url.hash = '';
  return { kind: 'fetch', url };
}

function readDataUri(src: string): IconSource {
  const [, mimeType, base64] = dataUri.exec(src) ?? [];
  if (base64 === undefined) return { kind: 'refused', reason: 'not Base64 data' };
  const bytes = Buffer.from(base64, 'base64');
  return { kind: 'data', mimeType: mimeType === '' ? undefined : mimeType, bytes };
}

/** The side in pixels that icons are shown with, doubled for dense screens. */
const wantedSide = 32;
/** A list longer than this is cut: one icon is shown. */
const maxCandidates = 4;

/** The icons worth trying, best first: of the wanted theme, then large enough but not larger than needed. */
export function rankIcons(icons: readonly Icon[], theme: 'light' | 'dark' | undefined): readonly Icon[] {
  return icons
    .map((icon) => ({ icon, wrongTheme: wrongTheme(icon, theme), distance: sizeDistance(icon) }))
    .sort((a, b) => a.wrongTheme - b.wrongTheme || a.distance - b.distance)
    .slice(0, maxCandidates)
    .map(({ icon }) => icon);
}

function wrongTheme(icon: Icon, theme: 'light' | 'dark' | undefined): number {
  if (icon.theme === theme) return 0;
  return icon.theme === undefined || theme === undefined ? 1 : 2;
}

function sizeDistance(icon: Icon): number {
  const distances = (icon.sizes ?? []).map((size) => {
    const side = Number(/^(\d{1,5})x\d{1,5}$/i.exec(size)?.[1] ?? Number.NaN);
    if (Number.isNaN(side)) return wantedSide;
    // A small picture looks worse enlarged than a large one reduced.
    return side < wantedSide ? (wantedSide - side) * 100 : side - wantedSide;
  });
  return distances.length === 0 ? wantedSide : Math.min(...distances);
}
