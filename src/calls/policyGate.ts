import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { CallCounters, type CountedCall } from '../policy/callCounters.ts';
import { decide } from '../policy/decide.ts';
import type { CallFacts, Decision, LaunchTarget } from '../policy/decision.ts';
import { gatherPaths, type PathPort, type WorkspaceFolder } from '../policy/gatherPaths.ts';
import type { GrantIndex } from '../policy/grantIndex.ts';
import { LatestTime } from '../policy/latestTime.ts';
import { noPaths, type PathFacts } from '../policy/pathFacts.ts';
import { pathsInQuestion } from '../policy/pathQuestions.ts';
import { compilePolicy, type Policy } from '../policy/policy.ts';
import type { CallServer } from './callServers.ts';
import type { PendingCall } from './pendingCall.ts';

/** The open workspace as policy sees it. */
export interface WorkspaceFacts {
  /** The same for the same workspace; `undefined` without one. */
  readonly id: string | undefined;
  readonly name: string;
  readonly folders: readonly WorkspaceFolder[];
}

/** What the gate needs of the grants. */
export interface GrantSource {
  readonly index: GrantIndex;
  refresh(): Promise<void>;
}

/** `counted` is set for a call that may go out: it counts for the limits until it is disposed. */
export interface GateDecision {
  readonly decision: Decision;
  readonly counted: Disposable | undefined;
}

export interface PolicyGatePorts {
  readonly clock: Clock;
  readonly grants: GrantSource;
  readonly paths: PathPort;
  readonly workspace: () => WorkspaceFacts;
  /** Servers whose claims the user lets count in allowing rules. */
  readonly trustedServers: () => ReadonlySet<string>;
  /** Servers whose results the person wants to see first. */
  readonly reviewsResults: (serverId: string) => boolean;
}

/** The policy step of the road: gathers the facts and asks the pure decision. */
export class PolicyGate {
  readonly #ports: PolicyGatePorts;
  readonly #counters: CallCounters;
  readonly #time: LatestTime;
  /** Replaced as a whole when a setting or the machine's policy changes. */
  policy: Policy = compilePolicy({ user: undefined, workspace: [] });

  constructor(ports: PolicyGatePorts) {
    this.#ports = ports;
    this.#counters = new CallCounters(ports.clock);
    this.#time = new LatestTime(ports.clock);
  }

  async decide(call: PendingCall): Promise<GateDecision> {
    const { grants } = this.#ports;
    let paths = await this.#paths(call);
    let decision = decide(this.#facts(call, paths), this.policy, grants.index);
    const rests = decision.reason.kind;
    if (rests === 'grant' || rests === 'default' || rests === 'suspendedGrant') {
      // It rests on grants that are there or not: another window may have made or withdrawn one.
      await grants.refresh();
      paths = await this.#paths(call);
      decision = decide(this.#facts(call, paths), this.policy, grants.index);
    }
    if (decision.kind !== 'deny' && !decision.reviewResult && this.#ports.reviewsResults(call.server.id)) {
      decision = { ...decision, reviewResult: true };
    }
    // In the same turn as the decision, so that of many calls at once each sees those before it.
    return {
      decision,
      counted: decision.kind === 'allow' ? this.begin(call, call.snapshot.digest, false) : undefined,
    };
  }

  /**
   * Decides again about a call that a person has just allowed: rules may have changed while they thought, and what
   * they typed was not decided on yet. Only a denial and a review still count; nothing is counted for the limits.
   */
  async decideAgain(call: PendingCall): Promise<Decision> {
    return decide(this.#facts(call, await this.#paths(call)), this.policy, this.#ports.grants.index);
  }

  /** Counts a call, for the limits; dispose when it has ended. */
  begin(call: PendingCall, argsDigest: string, byPerson: boolean): Disposable {
    return this.#counters.begin(countedCall(call, argsDigest), byPerson);
  }

  /** Where texts among the arguments lead, seen from the server. */
  pathFacts(server: CallServer, texts: readonly string[], roots: readonly string[]): Promise<PathFacts> {
    const { launch } = server;
    return gatherPaths(this.#ports.paths, {
      texts,
      roots,
      cwd: launch.kind === 'stdio' ? launch.cwd : undefined,
      workspaceFolders: this.#ports.workspace().folders,
    });
  }

  /** What `within` conditions need to know; most calls need nothing. */
  #paths(call: PendingCall): PathFacts | Promise<PathFacts> {
    const { server, callable, snapshot } = call;
    const { texts, roots } = pathsInQuestion(
      { serverId: server.id, toolName: callable.tool.name, args: snapshot.arguments },
      this.policy,
      this.#ports.grants.index,
    );
    return roots.length === 0 ? noPaths : this.pathFacts(server, texts, roots);
  }

  #facts(call: PendingCall, paths: PathFacts): CallFacts {
    const { request, callable, server, snapshot } = call;
    const { tool, entry } = callable;
    const { clock, trustedServers, workspace } = this.#ports;
    return {
      caller: request.caller.kind,
      serverId: server.id,
      serverOrigin: server.origin,
      serverTrusted: trustedServers().has(server.id),
      launch: launchTarget(server),
      launchFingerprint: server.launchFingerprint,
      toolName: tool.name,
      toolFingerprint: entry.fingerprint,
      annotations: tool.annotations,
      args: snapshot.arguments,
      workspace: workspace().id,
      now: clock.now(),
      latest: this.#time.now(),
      usage: this.#counters.counts(countedCall(call, snapshot.digest)),
      paths,
    };
  }
}

function countedCall({ request, server, callable }: PendingCall, argsDigest: string): CountedCall {
  return { serverId: server.id, toolName: callable.tool.name, argsDigest, turn: request.caller.turn };
}

function launchTarget({ launch }: CallServer): LaunchTarget {
  return launch.kind === 'stdio'
    ? { kind: 'stdio', command: launch.command, args: launch.args }
    : { kind: 'http', url: launch.url };
}
