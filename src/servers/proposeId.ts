/** Programs that run the one named after them. */
const runners = /^(?:npx|bunx|uvx|node|deno|bun|python[\d.]*)(?:\.exe|\.cmd)?$/i;

/** A server id for a command line: what the program, package or script is called, without what all are called. */
export function proposeId(words: readonly string[]): string {
  const names = words.filter((word) => !word.startsWith('-')).map((word) => word.replace(/^.*[\\/]/, ''));
  const [program = '', run] = names;
  const name = run !== undefined && runners.test(program) ? run : program;
  const short = name
    .replace(/^(?:mcp-)?server-/, '')
    .replace(/@.*$/, '')
    .replace(/\.(?:[cm]?[jt]s|py|exe|cmd)$/i, '');
  return short === '' ? 'server' : short;
}
