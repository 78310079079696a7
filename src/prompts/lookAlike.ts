/** A tool by the two names that policy goes by. */
export interface NamedTool {
  readonly serverId: string;
  readonly toolName: string;
}

/** A name that a person could take for the one in question. */
export type LookAlike =
  /** Another server whose id looks the same or differs in one letter. */
  | { readonly kind: 'server'; readonly serverId: string }
  /** A tool of another server with the very same name. */
  | { readonly kind: 'sameTool'; readonly serverId: string; readonly toolName: string }
  /** A tool, of any server, whose name looks the same but is not. */
  | { readonly kind: 'tool'; readonly serverId: string; readonly toolName: string };

/** Letters and signs by the plain letter that they are drawn like, in small or capital form. */
const drawnLike: Readonly<Record<string, string>> = {
  a: 'аαɑ',
  b: 'вβьƅ',
  c: 'сϲƈ',
  d: 'ԁɗđ',
  e: 'еεєҽ',
  f: 'ƒғ',
  g: 'ɡց',
  h: 'һнհħ',
  j: 'јϳյ',
  k: 'кκĸ',
  // `I`, `l` and `1` cannot be told apart in many typefaces, so they are one.
  l: 'iіıιɩӏ1|!ł',
  m: 'м',
  n: 'пηոռ',
  o: 'оοօσ0өø',
  p: 'рρ',
  q: 'ԛզ',
  r: 'гɾ',
  s: 'ѕꜱ5$',
  t: 'тτŧ',
  u: 'υսμ',
  v: 'νѵ',
  w: 'ԝω',
  x: 'хχ',
  y: 'уγүყ',
  z: 'ζʐ',
};

const plainLetter = new Map(
  Object.entries(drawnLike).flatMap(([plain, letters]) =>
    Array.from(letters, (letter) => [letter, plain] as const),
  ),
);

/** What a name looks like: names with the same skeleton are easily taken for each other. */
export function skeleton(name: string): string {
  const folded = name
    .normalize('NFKD')
    .toLowerCase()
    // Marks, separators and all that draws nothing; what is left are letters, digits and signs.
    .replace(/[\p{M}\p{C}\p{Z}\p{DI}\p{Pd}\p{Pc}.:/\\\u2800]/gu, '');
  const plain = Array.from(folded, (letter) => plainLetter.get(letter) ?? letter).join('');
  return plain.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('cl', 'd');
}

/** All names of a catalogue by what they look like. Made once for each list of tools. */
export class LookAlikeIndex {
  readonly #tools = new Map<string, NamedTool[]>();
  readonly #servers: readonly { readonly id: string; readonly skeleton: string }[];

  constructor(tools: readonly NamedTool[]) {
    const servers = new Set<string>();
    for (const tool of tools) {
      servers.add(tool.serverId);
      const key = skeleton(tool.toolName);
      const list = this.#tools.get(key) ?? [];
      list.push(tool);
      this.#tools.set(key, list);
    }
    this.#servers = Array.from(servers, (id) => ({ id, skeleton: skeleton(id) }));
  }

  /** What the names of a tool could be taken for. The tool itself may be in the index. */
  find({ serverId, toolName }: NamedTool): readonly LookAlike[] {
    const own = skeleton(serverId);
    const servers = this.#servers
      .filter(({ id, skeleton }) => id !== serverId && looksNear(own, skeleton))
      .map(({ id }): LookAlike => ({ kind: 'server', serverId: id }));
    const tools = (this.#tools.get(skeleton(toolName)) ?? [])
      .filter((other) => other.serverId !== serverId || other.toolName !== toolName)
      .map((other): LookAlike => {
        return { kind: other.toolName === toolName ? 'sameTool' : 'tool', ...other };
      });
    return [...servers, ...tools];
  }
}

/** The same, or one letter added, left out, changed, or swapped with its neighbour. Short names must be the same. */
function looksNear(left: string, right: string): boolean {
  if (left === right) return true;
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (short.length < 5 || long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  if (short.length < long.length) return short.slice(same) === long.slice(same + 1);
  const swapped = short[same] === long[same + 1] && short[same + 1] === long[same];
  return (
    short.slice(same + 1) === long.slice(same + 1) ||
    (swapped && short.slice(same + 2) === long.slice(same + 2))
  );
}
