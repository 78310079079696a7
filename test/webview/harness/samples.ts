import { type ApprovalRequest, approvalPrompt } from '../../../src/prompts/approvalPrompt.ts';

/** A call as a server for a code forge might get it. */
export const createIssue: ApprovalRequest = {
  serverId: 'github',
  tool: {
    name: 'create_issue',
    title: 'Create issue',
    description: 'Create a new issue in a repository.',
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  },
  toolFingerprint: 'sha256:0',
  caller: { kind: 'chat', label: 'GPT-4.1', turn: 't1' },
  reason: 'No rule covers this call.',
  arguments: {
    owner: 'acme',
    repo: 'site',
    title: 'Fix\u200b the build',
    body: Array.from({ length: 214 }, (_, index) => `Line ${index + 1} of what went wrong`).join('\n'),
    labels: ['bug', 'ci'],
    milestone: { number: 4, due: '2026-12-01', notes: { owner: 'kim', urgent: true } },
  },
};

export const echo = (text: string, serverId = 'everything'): ReturnType<typeof approvalPrompt> =>
  approvalPrompt({
    serverId,
    tool: { name: 'echo', description: 'Echoes back the input' },
    toolFingerprint: 'sha256:1',
    caller: { kind: 'languageModelTool', label: 'agent' },
    arguments: { message: text },
  });
