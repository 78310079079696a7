import type { ServerResponse } from 'node:http';

/** What is changed in the workbench's page. */
export type PageChanges = Readonly<{
  /** Folders of extensions to load in development mode. */
  develop: readonly string[];
  /** Module that exports `run()`; its presence makes the window a test run. */
  tests?: string;
  /** Folder to open when the URL names none. */
  folder?: string;
}>;

type Configuration = Record<string, unknown>;

/** Lets the workbench's page through `response`, with its embedder configuration changed. */
export function editPage(response: ServerResponse, authority: string, changes: PageChanges): void {
  const writeHead = response.writeHead.bind(response);
  const end = response.end.bind(response);
  let status = 200;
  let headers: Record<string, string | string[]> = {};
  // The head is kept back until the body, whose length changes, is known.
  const holdHead = (code: number, given: Record<string, string | string[]> = {}) => {
    status = code;
    headers = given;
    return response;
  };
  const endEdited = (body?: unknown) => {
    const text =
      typeof body === 'string' || Buffer.isBuffer(body) ? editHtml(String(body), authority, changes) : '';
    const kept = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
    writeHead(status, Object.fromEntries(kept));
    return end(text);
  };
  Object.assign(response, { writeHead: holdHead, end: endEdited });
}

/** Writes the development options and the default folder into the page's configuration attribute. */
export function editHtml(html: string, authority: string, changes: PageChanges): string {
  const uri = (path: string) => ({ scheme: 'vscode-remote', authority, path });
  const pattern = /(id="vscode-workbench-web-configuration" data-settings=")([^"]*)"/;
  return html.replace(pattern, (_, head: string, attribute: string) => {
    const configuration: Configuration = JSON.parse(
      attribute.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    );
    configuration['developmentOptions'] = {
      ...(changes.develop.length > 0 && { extensions: changes.develop.map(uri) }),
      ...(changes.tests !== undefined && { extensionTestsPath: uri(changes.tests) }),
    };
    if (changes.folder !== undefined) configuration['folderUri'] = uri(changes.folder);
    const text = JSON.stringify(configuration).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    return `${head}${text}"`;
  });
}
