import type { CallReport, ToolCalls } from '../calls/callTypes.ts';
import { draftArguments } from '../prompts/draftArguments.ts';
import type { Tool } from '../protocol/model.ts';

/** Run Tool by hand: a card for the arguments where calls wait, then the same road as any other call. */
export async function runTool(
  options: {
    readonly calls: ToolCalls;
    /** Brings a card into view, with the keyboard. */
    readonly reveal: (promptId: string) => void;
    readonly showReport: (call: RunTool, report: CallReport) => void;
  },
  call: RunTool,
): Promise<void> {
  const { serverId, tool } = call;
  const report = await options.calls.invoke({
    caller: { kind: 'user', label: 'you' },
    target: { kind: 'tool', serverId, toolName: tool.name },
    arguments: draftArguments(tool.inputSchema),
    isDraft: true,
    onWaiting: ({ promptId }) => options.reveal(promptId),
  });
  options.showReport(call, report);
}

export interface RunTool {
  readonly serverId: string;
  readonly tool: Tool;
}
