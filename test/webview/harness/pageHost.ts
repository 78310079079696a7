import { build } from 'esbuild';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { pageHtml } from '../../../src/prompts/pageHtml.ts';
import { type ThemeName, themeStyle, themes } from './themes.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Serves the real page, built from the sources, on a loopback address, as the editor would. */
export interface PageHost {
  address(theme: ThemeName, page?: 'approvals' | 'result'): string;
  close(): Promise<void>;
}

/** What the editor adds around every webview: theme variables, the body's class, and a plain background. */
function withTheme(html: string, theme: ThemeName): string {
  const { kind, page } = themes[theme];
  // The light one is a high-contrast theme too, and says so to pages that know only one.
  const classes = kind === 'vscode-high-contrast-light' ? `${kind} vscode-high-contrast` : kind;
  // In an attribute, like the editor's own: set by it from outside, so the page's policy is not in the way.
  return html
    .replace(
      '<html lang="en" ',
      `<html lang="en" data-style="${themeStyle(theme).replaceAll('"', '&quot;')} background: ${page};" `,
    )
    .replace('<body>', `<body class="${classes}" data-vscode-theme-kind="${kind}">`);
}

export async function startPageHost(): Promise<PageHost> {
  const built = await build({
    entryPoints: [`${root}webview/approvals/approvals.ts`, `${root}webview/approvals/approvals.css`],
    bundle: true,
    write: false,
    outdir: `${root}dist/webview`,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
  });
  const files = new Map(built.outputFiles.map((file) => [`/${file.path.split('/').at(-1)}`, file.text]));
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://127.0.0.1');
    const file = files.get(address.pathname);
    if (file !== undefined) {
      const type = address.pathname.endsWith('.css') ? 'text/css' : 'text/javascript';
      response.setHeader('content-type', `${type}; charset=utf-8`).end(file);
    } else if (address.pathname === '/') {
      const theme = Object.keys(themes).find((name) => name === address.searchParams.get('theme')) ?? 'dark';
      const page = address.searchParams.get('page') === 'result' ? 'result' : 'approvals';
      const html = pageHtml({
        cspSource: `http://${request.headers.host}`,
        nonce: randomBytes(24).toString('base64url'),
        script: '/approvals.js',
        style: '/approvals.css',
        place: page === 'result' ? 'tab' : 'view',
        page,
      });
      response.setHeader('content-type', 'text/html; charset=utf-8').end(withTheme(html, theme as ThemeName));
    } else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: (theme, page = 'approvals') => `http://127.0.0.1:${port}/?theme=${theme}&page=${page}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
