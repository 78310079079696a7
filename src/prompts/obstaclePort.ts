import type { Event } from '../base/event.ts';
import type { PromptCard } from '../shared/promptCard.ts';

/** Says what has come in the way of what a prompt asks for. It never changes what an answer means. */
export interface ObstaclePort {
  /** In words for a person; undefined if nothing has. */
  of(card: PromptCard): string | undefined;
  readonly onDidChange: Event<unknown>;
}
