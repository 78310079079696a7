import { type ApprovalRequest, approvalPrompt } from '../../../src/prompts/approvalPrompt.ts';
import { Arming } from '../../../src/prompts/arming.ts';
import { PromptQueue } from '../../../src/prompts/promptQueue.ts';
import { ManualClock } from '../../helpers/manualClock.ts';

export const request = (change: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  serverId: 'github',
  tool: { name: 'create_issue' },
  toolFingerprint: 'sha256:1',
  caller: { kind: 'chat', label: 'model', turn: 'turn 1' },
  arguments: { title: 'one' },
  ...change,
});

export const approval = (change: Partial<ApprovalRequest> = {}): ReturnType<typeof approvalPrompt> =>
  approvalPrompt(request(change));

export interface Table {
  readonly clock: ManualClock;
  readonly queue: PromptQueue;
  readonly arming: Arming;
  /** Puts the first card in view for long enough, and names it. */
  readonly seeFirst: () => { readonly id: string; readonly digest: string };
}

export function table(options: { readonly limit?: number } = {}): Table {
  const clock = new ManualClock();
  const queue = new PromptQueue({ clock, ...options });
  const arming = new Arming(clock, 500);
  return {
    clock,
    queue,
    arming,
    seeFirst() {
      const card = queue.pending[0];
      if (card === undefined) throw new Error('nothing waits');
      arming.shown(card.id, card.digest);
      clock.advance(500);
      return card;
    },
  };
}
