import type { CallView } from '../../src/shared/callView.ts';
import type { PromptSummary } from '../../src/shared/promptCard.ts';

/** What the top of the page shows. `answered`: a prompt that left, whose call has not been heard of yet. */
export type Current =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'prompt'; readonly id: string }
  | { readonly kind: 'answered'; readonly promptId: string }
  /** `held`: the person has chosen it, or it says that what they looked at is gone. */
  | { readonly kind: 'call'; readonly callId: string; readonly held?: true }
  /** All prompts of one tool; `group` is the one that was on show. */
  | { readonly kind: 'batch'; readonly group: string };

export interface PageFacts {
  readonly prompts: readonly Pick<PromptSummary, 'id' | 'group' | 'callId'>[];
  readonly calls: readonly Pick<CallView, 'id'>[];
  /** The order of the prompts before this change: to find the one that follows. */
  readonly before: readonly string[];
  /** A person seems to be looking at the card. */
  readonly engaged: boolean;
  /** A person is doing something on the page right now. */
  readonly active: boolean;
  /** The person has just answered this prompt here. */
  readonly answered: string | undefined;
  /** What a prompt that has left leaves behind: its call, or nothing. */
  readonly landing: (promptId: string) => Current;
}

/** Decides what to show after a change. A prompt that a person looks at is never swapped for another one. */
export function nextCurrent(current: Current, facts: PageFacts): Current {
  const { prompts, calls, engaged } = facts;
  const first = firstOf(prompts);
  switch (current.kind) {
    case 'prompt': {
      if (prompts.some(({ id }) => id === current.id)) return current;
      // Withdrawn under the person's eyes: say so in its place, rather than put another one there.
      if (current.id !== facts.answered && engaged) return held(facts.landing(current.id));
      const follower = followerOf(current.id, facts);
      return follower === undefined ? facts.landing(current.id) : { kind: 'prompt', id: follower };
    }
    case 'batch':
      return prompts.some(({ group }) => group === current.group) ? current : first;
    case 'call': {
      // What the call on show asks for is where the person looks, so it comes at once; its buttons arm anew.
      const own = prompts.find(({ callId }) => callId === current.callId);
      if (own !== undefined) return { kind: 'prompt', id: own.id };
      if (first.kind === 'prompt' && !(facts.active && current.held === true)) return first;
      return calls.some(({ id }) => id === current.callId) ? current : first;
    }
    case 'answered':
      return first.kind === 'prompt' ? first : facts.landing(current.promptId);
    case 'nothing':
      return first;
  }
}

function held(current: Current): Current {
  return current.kind === 'call' ? { ...current, held: true } : current;
}

function firstOf(prompts: PageFacts['prompts']): Current {
  const [first] = prompts;
  return first === undefined ? { kind: 'nothing' } : { kind: 'prompt', id: first.id };
}

function followerOf(id: string, { prompts, before }: PageFacts): string | undefined {
  const waiting = new Set(prompts.map((prompt) => prompt.id));
  const after = before.slice(before.indexOf(id) + 1).find((candidate) => waiting.has(candidate));
  return after ?? prompts[0]?.id;
}
