import type { ToolHistory } from '../policy/pinState.ts';
import type { ServerOrigin } from '../servers/serverConfig.ts';
import type { RiskNote } from '../shared/riskNote.ts';

/** Notes about where a tool comes from and what has happened to it. */
export function historyNotes(origin: ServerOrigin, history: ToolHistory): readonly RiskNote[] {
  const notes: RiskNote[] = [];
  if (origin === 'workspace') {
    notes.push({
      kind: 'workspaceServer',
      severity: 'info',
      subject: { kind: 'server' },
      message: "The server comes from this workspace's settings, not from yours.",
    });
  }
  if (history.launchChanged) {
    notes.push({
      kind: 'launchChanged',
      severity: 'caution',
      subject: { kind: 'server' },
      message: 'The server is started or reached in another way than when you last allowed this tool.',
    });
  }
  if (history.toolChanged) {
    notes.push({
      kind: 'definitionChanged',
      severity: 'caution',
      subject: { kind: 'definition', path: '' },
      message: "The tool's definition has changed since you last allowed it.",
    });
  }
  if (history.isNew) {
    notes.push({
      kind: 'definitionNew',
      severity: 'info',
      subject: { kind: 'definition', path: '' },
      message: 'You have not allowed this tool before.',
    });
  }
  if (history.calls === 0) {
    notes.push({
      kind: 'neverCalled',
      severity: 'info',
      subject: { kind: 'toolName' },
      message: 'This tool has never been called from here.',
    });
  }
  return notes;
}
