/** What decides which editor `npm start` opens. */
export type EditorFacts = Readonly<{
  /** What `--editor` says. */
  asked: 'desktop' | 'server' | undefined;
  /** There is a screen to open a window on. */
  hasDisplay: boolean;
  /** Program of an installed desktop VS Code. */
  installed: string | undefined;
}>;

/** Which editor, and why. `download` falls back to `server` if nothing can be downloaded and `fallback` is true. */
export type EditorChoice =
  | Readonly<{ kind: 'installed'; program: string; why: string }>
  | Readonly<{ kind: 'download'; fallback: boolean; why: string }>
  | Readonly<{ kind: 'server'; why: string }>;

/** Chooses a desktop VS Code where there is a desktop, else the server build. */
export function chooseEditor({ asked, hasDisplay, installed }: EditorFacts): EditorChoice {
  if (asked === 'server') return { kind: 'server', why: 'asked for with --editor server' };
  if (asked === undefined && !hasDisplay) return { kind: 'server', why: 'this machine has no display' };
  const why = asked === 'desktop' ? 'asked for with --editor desktop' : 'this machine has a display';
  if (installed !== undefined) return { kind: 'installed', program: installed, why };
  return { kind: 'download', fallback: asked === undefined, why: `${why}, and no VS Code is installed` };
}
