import * as vscode from 'vscode';

/** Opens a link in the person's browser, character for character; false if that failed. */
export async function openUrl(url: string): Promise<boolean> {
  // The editor takes a text, although its types name only `Uri`. One of those is decoded and encoded anew on the way
  // out, which changes links: `%26` becomes `&`, and a signed link or a nested one is broken.
  const open = vscode.env.openExternal as unknown as (target: string) => Thenable<boolean>;
  return open.call(vscode.env, url);
}
