import type { CallBoard } from '../prompts/callBoard.ts';
import type { ApprovedCall } from './approvedCall.ts';

/** Puts a call among those that run, for people to see. `cancel`: what their button does. */
export function showCall(
  board: CallBoard,
  { request, subject, server, approved }: ApprovedCall,
  cancel: () => void,
): void {
  board.started({
    callId: subject.callId,
    ...(approved.promptId === undefined ? {} : { promptId: approved.promptId }),
    serverId: server.id,
    toolName: subject.tool,
    caller: request.caller,
    arguments: approved.arguments,
    edited: approved.edited,
    cancel,
  });
}
