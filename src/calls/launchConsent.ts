import type { AuditPort } from '../audit/auditLog.ts';
import { launchSnapshot } from '../policy/launchSnapshot.ts';
import type { PinStore } from '../policy/pinStore.ts';
import { changeNotice } from '../prompts/changeNotice.ts';
import { launchPrompt } from '../prompts/launchPrompt.ts';
import type { PromptQueue } from '../prompts/promptQueue.ts';
import { isUnencrypted, type Launch } from '../servers/launch.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ChangeNotice } from '../shared/definitionDiff.ts';
import type { NamedText } from '../shared/inputCards.ts';
import { noAnswer } from './noAnswer.ts';
import type { WorkspaceFacts } from './policyGate.ts';

/** Asks before a server that a workspace defines is started for the first time, or differently from before. */
export class LaunchConsent {
  readonly #queue: PromptQueue;
  readonly #pins: PinStore;
  readonly #audit: AuditPort;
  readonly #workspace: () => WorkspaceFacts;
  /** Questions that are open, by server: one is enough. */
  readonly #open = new Map<
    ManagedServer,
    { readonly answer: Promise<boolean>; readonly abort: AbortController }
  >();

  constructor(ports: {
    readonly queue: PromptQueue;
    readonly pins: PinStore;
    readonly audit: AuditPort;
    readonly workspace: () => WorkspaceFacts;
  }) {
    this.#queue = ports.queue;
    this.#pins = ports.pins;
    this.#audit = ports.audit;
    this.#workspace = ports.workspace;
  }

  has(serverId: string, launchFingerprint: string): boolean {
    return this.#pins.isLaunchTrusted(serverId, this.#workspace().id, launchFingerprint);
  }

  /** Resolves to whether a person has agreed to this very launch. */
  ask(server: ManagedServer): Promise<boolean> {
    const open = this.#open.get(server);
    if (open !== undefined) return open.answer;
    const abort = new AbortController();
    const answer = this.#ask(server, abort.signal).finally(() => this.#open.delete(server));
    this.#open.set(server, { answer, abort });
    return answer;
  }

  /** The server is not configured like this any more: its question is void. */
  forget(server: ManagedServer): void {
    this.#open.get(server)?.abort.abort();
  }

  async #ask(server: ManagedServer, signal: AbortSignal): Promise<boolean> {
    const { resolved, id } = server;
    if (resolved?.kind !== 'resolved') return false;
    const { launch, fingerprint } = resolved;
    const workspace = this.#workspace();
    const answer = await this.#queue.ask(
      launchPrompt({
        serverId: id,
        origin: workspace.name,
        launch: launchView(launch),
        ...this.#change(id, launch, fingerprint),
        warnings: warnings(launch),
      }),
      signal,
    );
    const trusted = answer.kind === 'allow';
    this.#audit.record({
      kind: 'serverTrust',
      serverId: id,
      outcome: trusted ? 'trusted' : answer.kind === 'deny' ? 'refused' : 'unanswered',
      launchFingerprint: fingerprint,
      by:
        answer.kind === 'cancelled' ? noAnswer(answer.cause) : { kind: 'person', promptId: answer.promptId },
    });
    if (!trusted) return false;
    try {
      await this.#pins.trustLaunch(
        { serverId: id, workspace: workspace.id, fingerprint },
        launchSnapshot(launch),
      );
      return true;
    } catch {
      // The store has told the person. What is not on file is not agreed to, in this window neither.
      return false;
    }
  }

  /** What is different from what the person agreed to before; they may have agreed to nothing yet. */
  /** What is different from what the person agreed to before; they may have agreed to nothing yet. */
  #change(serverId: string, launch: Launch, fingerprint: string): { readonly change?: ChangeNotice } {
    const before = this.#pins.lastTrustedLaunch(serverId, this.#workspace().id);
    if (before === undefined) return {};
    const change = changeNotice({
      before: { tool: '', launch: before.fingerprint },
      allowedAt: before.trustedAt,
      now: { tool: '', launch: fingerprint },
      definition: {},
      launch: launchSnapshot(launch),
      snapshot: (known) => this.#pins.snapshot(known),
    });
    return change === undefined ? {} : { change };
  }
}

function launchView(launch: Launch): Parameters<typeof launchPrompt>[0]['launch'] {
  if (launch.kind === 'http') {
    return { kind: 'http', url: launch.url, headers: asWritten(launch.written) };
  }
  const { command, args, cwd, written } = launch;
  return { kind: 'stdio', command, args, cwd, env: asWritten(written) };
}

function warnings(launch: Launch): readonly string[] {
  const texts = Object.values(launch.written ?? {});
  const taken = texts.flatMap((text) => Array.from(text.matchAll(/\$\{env:([^}]*)\}/g), ([, name]) => name));
  const names = Array.from(new Set(taken)).join(', ');
  return [
    ...(names === '' ? [] : [`It is given what your own environment holds as: ${names}.`]),
    ...(isUnencrypted(launch) ? ['The address is not encrypted: others can read what is sent.'] : []),
  ];
}

/** Text of a file in the workspace: shown whole, for what hides in it may run. */
function asWritten(written: Launch['written'] = {}): readonly NamedText[] {
  return Object.entries(written).map(([name, text]) => ({ name, text }));
}
