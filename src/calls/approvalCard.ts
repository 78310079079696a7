import type { Decision } from '../policy/decision.ts';
import { pathTexts, workspaceRoot } from '../policy/pathTexts.ts';
import type { ApprovalRequest } from '../prompts/approvalPrompt.ts';
import { InputCheck } from '../prompts/checkInput.ts';
import { type GrantProposal, grantProposals } from '../prompts/grantProposals.ts';
import { LookAlikeIndex } from '../prompts/lookAlike.ts';
import { proposalView } from '../prompts/proposalView.ts';
import { riskNotes } from '../prompts/riskNotes.ts';
import { ToolMentions } from '../prompts/toolMentions.ts';
import type { GrantScope } from '../shared/approvalCard.ts';
import type { Catalogue } from '../tools/catalogue.ts';
import type { SchemaChecker } from '../tools/schemaChecker.ts';
import type { CallMemory } from './callMemory.ts';
import { reasonText } from './decisionRecord.ts';
import type { PendingCall } from './pendingCall.ts';
import type { PolicyGate, WorkspaceFacts } from './policyGate.ts';
import type { PromptExpiry } from './promptExpiry.ts';

export interface ApprovalContent {
  readonly request: ApprovalRequest;
  /** By the id under which the card offers them. */
  readonly proposals: ReadonlyMap<string, GrantProposal>;
}

/** Gathers what a person should see before they decide on a call. */
export class ApprovalCards {
  readonly #gate: PolicyGate;
  readonly #memory: CallMemory;
  readonly #checker: SchemaChecker;
  readonly #catalogue: Catalogue;
  readonly #workspace: () => WorkspaceFacts;
  readonly #expiry: () => PromptExpiry;
  #lookAlikes: LookAlikeIndex | undefined;
  #mentions: ToolMentions | undefined;

  constructor(ports: {
    readonly gate: PolicyGate;
    readonly memory: CallMemory;
    readonly checker: SchemaChecker;
    readonly catalogue: Catalogue;
    readonly workspace: () => WorkspaceFacts;
    readonly expiry: () => PromptExpiry;
  }) {
    this.#gate = ports.gate;
    this.#memory = ports.memory;
    this.#checker = ports.checker;
    this.#catalogue = ports.catalogue;
    this.#workspace = ports.workspace;
    this.#expiry = ports.expiry;
    ports.catalogue.onDidChange(() => {
      this.#lookAlikes = undefined;
      this.#mentions = undefined;
    });
  }

  async content(call: PendingCall, decision: Decision & { readonly kind: 'ask' }): Promise<ApprovalContent> {
    const { request, callable, server, snapshot } = call;
    const { tool, entry } = callable;
    const args = snapshot.arguments;
    const paths = await this.#gate.pathFacts(server, pathTexts(args), [workspaceRoot]);
    const change = this.#memory.change(call, decision);
    const isDraft = request.isDraft === true;
    // Proposals speak of the arguments as they are shown, and those of a draft are about to change.
    const proposals =
      decision.rememberable && !isDraft
        ? grantProposals({
            serverId: server.id,
            toolName: tool.name,
            caller: request.caller.kind,
            args,
            paths,
          })
        : [];
    const given = { serverId: server.id, toolName: tool.name, given: Object.keys(args) };
    const check = new InputCheck(this.#checker, tool.inputSchema);
    this.#lookAlikes ??= new LookAlikeIndex(this.#catalogue.entries);
    this.#mentions ??= new ToolMentions(this.#catalogue.entries);
    return {
      proposals: new Map(proposals.map((proposal) => [proposal.id, proposal])),
      request: {
        serverId: server.id,
        tool: {
          name: tool.name,
          ...(tool.title === undefined ? {} : { title: tool.title }),
          ...(tool.description === undefined ? {} : { description: tool.description }),
          ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
        },
        toolFingerprint: entry.fingerprint,
        caller: request.caller,
        arguments: args,
        // That nothing allows it goes without saying.
        ...(decision.reason.kind === 'default' ? {} : { reason: reasonText(decision) }),
        notes: riskNotes({
          serverId: server.id,
          serverOrigin: server.origin,
          tool: {
            name: tool.name,
            title: tool.title,
            description: tool.description,
            definition: tool.definition,
          },
          history: this.#memory.history(call),
          lookAlikes: this.#lookAlikes.find(entry),
          mentions: this.#mentions.find(server.id, tool.description ?? ''),
          args,
          paths,
        }),
        ...(change === undefined ? {} : { change }),
        proposals: proposals.map((proposal) => proposalView(given, proposal)),
        scopes: this.#scopes(),
        inputSchema: tool.inputSchema,
        validateArguments: (value) => check.problems(value),
        ...(isDraft ? { isDraft } : this.#expiry()),
      },
    };
  }

  #scopes(): readonly GrantScope[] {
    return this.#workspace().id === undefined
      ? ['session', 'everywhere']
      : ['session', 'workspace', 'everywhere'];
  }
}
