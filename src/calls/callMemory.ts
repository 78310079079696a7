import type { AuditPort } from '../audit/auditLog.ts';
import { errorMessage } from '../base/errors.ts';
import type { Decision } from '../policy/decision.ts';
import type { GrantStore } from '../policy/grantStore.ts';
import { launchSnapshot } from '../policy/launchSnapshot.ts';
import type { ToolKey } from '../policy/pinState.ts';
import type { PinStore } from '../policy/pinStore.ts';
import { changeNotice } from '../prompts/changeNotice.ts';
import type { GrantProposal } from '../prompts/grantProposals.ts';
import { cut } from '../prompts/preview.ts';
import type { GrantScope as ScopeView } from '../shared/approvalCard.ts';
import type { ChangeNotice } from '../shared/definitionDiff.ts';
import type { PendingCall } from './pendingCall.ts';
import type { WorkspaceFacts } from './policyGate.ts';

/** What is remembered of decisions: grants, and what a tool and its server were when a person last allowed them. */
export class CallMemory {
  readonly #grants: GrantStore;
  readonly #pins: PinStore;
  readonly #audit: AuditPort;
  readonly #workspace: () => WorkspaceFacts;
  /** Suspensions that are on record already, so that each is recorded once. */
  readonly #suspended = new Set<string>();

  constructor(ports: {
    readonly grants: GrantStore;
    readonly pins: PinStore;
    readonly audit: AuditPort;
    readonly workspace: () => WorkspaceFacts;
  }) {
    this.#grants = ports.grants;
    this.#pins = ports.pins;
    this.#audit = ports.audit;
    this.#workspace = ports.workspace;
  }

  history(call: PendingCall): ReturnType<PinStore['history']> {
    return this.#pins.history(this.#key(call), pinsOf(call));
  }

  /** What changed since the person last allowed this; shown before anything else. */
  change(call: PendingCall, decision: Decision & { readonly kind: 'ask' }): ChangeNotice | undefined {
    this.#recordSuspended(call, decision);
    const [suspended] = decision.suspended;
    const allowed = this.#pins.pin(this.#key(call))?.allowed;
    const before = suspended?.grant.pins ?? allowed;
    if (before === undefined) return undefined;
    return changeNotice({
      before,
      allowedAt: suspended?.grant.createdAt ?? allowed?.at ?? 0,
      now: pinsOf(call),
      definition: call.callable.tool.definition,
      launch: launchSnapshot(call.server.launch),
      snapshot: (fingerprint) => this.#grants.snapshot(fingerprint) ?? this.#pins.snapshot(fingerprint),
    });
  }

  /** A person allowed the call: what they saw is the new base for differences. Failures are told by the store. */
  async allowed(call: PendingCall): Promise<void> {
    try {
      await this.#pins.recordAllowed(this.#key(call), pinsOf(call), snapshotsOf(call));
    } catch {
      // The next prompt shows the difference to an older state: more than needed, never less.
    }
  }

  /** Makes the grant that a person chose. Resolves to why it could not be kept, or to `undefined`. */
  async grant(call: PendingCall, scope: ScopeView, proposal: GrantProposal): Promise<string | undefined> {
    const { server, callable, subject } = call;
    const { id, name } = this.#workspace();
    if (scope === 'workspace' && id === undefined) return 'No workspace is open.';
    try {
      const grant = await this.#grants.add({
        serverId: server.id,
        toolName: callable.tool.name,
        scope: scope === 'workspace' ? { kind: 'workspace', workspace: id ?? '', name } : { kind: scope },
        callers: proposal.callers,
        args: proposal.args,
        argsDigest: proposal.argsDigest,
        pins: pinsOf(call),
        // A label is what a client calls itself: as long as it likes.
        createdFrom: `${subject.caller.kind} (${cut(subject.caller.label, 200)})`,
        snapshots: snapshotsOf(call),
      });
      this.#audit.record({
        kind: 'grantMade',
        grantId: grant.id,
        serverId: grant.serverId,
        tool: grant.toolName,
        scope,
        preview: proposal.preview,
        callId: subject.callId,
      });
      return undefined;
    } catch (error) {
      return errorMessage(error);
    }
  }

  /** The call has been sent. */
  sent(call: PendingCall, grantId: string | undefined): void {
    this.#pins.recordCall(this.#key(call));
    if (grantId !== undefined) this.#grants.recordUse(grantId);
  }

  #recordSuspended({ server, callable }: PendingCall, decision: Decision & { readonly kind: 'ask' }): void {
    for (const { grant, changed } of decision.suspended) {
      for (const pin of changed) {
        const key = `${grant.id} ${pin} ${callable.entry.fingerprint} ${server.launchFingerprint}`;
        if (this.#suspended.has(key)) continue;
        this.#suspended.add(key);
        this.#audit.record({
          kind: 'grantSuspended',
          grantId: grant.id,
          serverId: server.id,
          tool: callable.tool.name,
          cause: pin === 'tool' ? 'toolChanged' : 'launchChanged',
        });
      }
    }
  }

  #key({ server, callable }: PendingCall): ToolKey {
    // Two workspaces may use one id for different servers.
    const workspace = server.origin === 'workspace' ? this.#workspace().id : undefined;
    return { serverId: server.id, workspace, toolName: callable.tool.name };
  }
}

function pinsOf({ callable, server }: PendingCall): { readonly tool: string; readonly launch: string } {
  return { tool: callable.entry.fingerprint, launch: server.launchFingerprint };
}

function snapshotsOf({ callable, server }: PendingCall): Parameters<PinStore['recordAllowed']>[2] {
  return { tool: callable.tool.definition, launch: launchSnapshot(server.launch) };
}
