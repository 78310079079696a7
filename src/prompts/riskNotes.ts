import type { JsonObject } from '../base/json.ts';
import type { PathFacts } from '../policy/pathFacts.ts';
import type { ToolHistory } from '../policy/pinState.ts';
import type { ServerOrigin } from '../servers/serverConfig.ts';
import type { RiskNote } from '../shared/riskNote.ts';
import { argumentNotes } from './argumentNotes.ts';
import { historyNotes } from './historyNotes.ts';
import type { LookAlike, NamedTool } from './lookAlike.ts';
import { type DescribedTool, toolNotes } from './toolNotes.ts';

/** All that the notes beside an approval rest on. */
export interface RiskFacts {
  readonly serverId: string;
  readonly serverOrigin: ServerOrigin;
  readonly tool: DescribedTool;
  readonly history: ToolHistory;
  /** From `LookAlikeIndex.find`. */
  readonly lookAlikes: readonly LookAlike[];
  /** From `ToolMentions.find` for the description. */
  readonly mentions?: readonly NamedTool[];
  readonly args: JsonObject;
  /** From `gatherPaths` for `pathTexts(args)` and `workspaceRoot`. */
  readonly paths: PathFacts;
}

/** So many notes fit on a card; nobody reads more. */
const maxNotes = 100;

/** The facts that a person should know before deciding: cautions first, then the rest, in the order of the card. */
export function riskNotes(facts: RiskFacts): readonly RiskNote[] {
  const notes = [
    ...historyNotes(facts.serverOrigin, facts.history),
    ...toolNotes(facts.serverId, facts.tool, facts.lookAlikes, facts.mentions),
    ...argumentNotes(facts.args, facts.paths),
  ];
  const ordered = [
    ...notes.filter(({ severity }) => severity === 'caution'),
    ...notes.filter(({ severity }) => severity === 'info'),
  ];
  if (ordered.length <= maxNotes) return ordered;
  const left = ordered.length - maxNotes + 1;
  const cut: RiskNote = {
    kind: 'notesCut',
    severity: 'caution',
    subject: { kind: 'argument', path: '', part: 'value' },
    message: `There are ${left} more notes than fit here.`,
  };
  return [...ordered.slice(0, maxNotes - 1), cut];
}
