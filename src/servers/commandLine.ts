/**
 * Splits a command line as a person types it: at spaces; double quotes keep a part together and a backslash
 * before a quote keeps the quote. `undefined` if a quote is not closed or nothing is there.
 * No shell is involved, so nothing else has a meaning.
 */
export function splitCommandLine(line: string): string[] | undefined {
  const part = /(?:[^\s"]|"(?:\\"|[^"])*")+/g;
  if (line.replaceAll(part, '').trim() !== '') return undefined;
  const parts = line.match(part);
  return parts?.map((text) =>
    text.replaceAll(/"((?:\\"|[^"])*)"/g, (_, inner: string) => inner.replaceAll('\\"', '"')),
  );
}
