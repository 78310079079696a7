import type { PromptCard } from '../../src/shared/promptCard.ts';
import { ApprovalCardView } from '../cards/approvalCard.ts';
import type { CardContext, CardView } from '../cards/cardView.ts';
import { FormCardView } from '../cards/formCard.ts';
import { LaunchCardView } from '../cards/launchCard.ts';
import { ReviewCardView } from '../cards/reviewCard.ts';
import { SamplingCardView } from '../cards/samplingCard.ts';
import { UrlCardView } from '../cards/urlCard.ts';

/** The view for a card, whatever it asks for. */
export function cardViewFor(card: PromptCard, context: CardContext): CardView {
  switch (card.kind) {
    case 'approval':
      return new ApprovalCardView(card, context);
    case 'form':
      return new FormCardView(card, context);
    case 'url':
      return new UrlCardView(card, context);
    case 'sampling':
      return new SamplingCardView(card, context);
    case 'review':
      return new ReviewCardView(card, context);
    case 'launch':
      return new LaunchCardView(card, context);
  }
}
