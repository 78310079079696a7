/** Addresses and the policy source that the editor gives to a webview. */
export interface PageResources {
  readonly cspSource: string;
  /** Unguessable, new for every page. */
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
  /** A tab of the editor has another background than a view beside it. */
  readonly place: 'view' | 'tab';
  /** What the script is to show. */
  readonly page: 'approvals' | 'result';
}

/** The page around the script. Nothing in it comes from a server; the policy lets nothing else in. */
export function pageHtml({ cspSource, nonce, script, style, place, page }: PageResources): string {
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    // Pictures and sounds are made from bytes that the page was given. Nothing is ever fetched.
    `img-src blob:`,
    `media-src blob:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    // Text that is to become markup is an error; only the toolkit's own templates may. Not all browsers know this.
    `require-trusted-types-for 'script'`,
    `trusted-types fast-html`,
  ].join('; ');
  // The toolkit reads the nonce from `csp-nonce` for the one style element that it makes.
  return `<!DOCTYPE html>
<html lang="en" data-place="${place}" data-page="${page}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page === 'result' ? 'Result' : 'Approvals'}</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<div id="page"></div>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}
