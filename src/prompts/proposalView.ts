import type { GrantProposalView } from '../shared/approvalCard.ts';
import { type PreviewedGrant, grantPreview } from './grantPreview.ts';
import type { GrantProposal } from './grantProposals.ts';

/** A proposal as a card shows it. `given`: names of the arguments of the call at hand. */
export function proposalView(
  call: { readonly serverId: string; readonly toolName: string; readonly given: readonly string[] },
  proposal: GrantProposal,
): GrantProposalView {
  const grant: PreviewedGrant = { serverId: call.serverId, toolName: call.toolName, ...proposal };
  const preview = (scope: 'session' | 'workspace' | 'everywhere'): string =>
    grantPreview(grant, scope, call.given);
  return {
    id: proposal.id,
    label: proposal.label,
    previews: {
      session: preview('session'),
      workspace: preview('workspace'),
      everywhere: preview('everywhere'),
    },
  };
}
