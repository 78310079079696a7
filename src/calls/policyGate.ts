import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { decide } from '../policy/decide.ts';
import type { Decision, LaunchTarget } from '../policy/decision.ts';
import { type GrantIndex, noGrants } from '../policy/grantIndex.ts';
import { noUsage } from '../policy/limits.ts';
import { noPaths } from '../policy/pathFacts.ts';
import { compilePolicy, type Policy } from '../policy/policy.ts';
import type { Caller } from '../shared/caller.ts';
import type { CallableTool } from './callTarget.ts';
import type { CallServer } from './callServers.ts';

/** The policy step of the road: gathers the facts and asks the pure decision. */
export class PolicyGate {
  readonly #clock: Clock;
  readonly #workspace: string | undefined;
  policy: Policy = compilePolicy({ user: undefined, workspace: [] });
  grants: GrantIndex = noGrants;

  constructor(options: { readonly clock: Clock; readonly workspace: string | undefined }) {
    this.#clock = options.clock;
    this.#workspace = options.workspace;
  }

  decide(caller: Caller, { entry, tool }: CallableTool, server: CallServer, args: JsonObject): Decision {
    return decide(
      {
        caller: caller.kind,
        serverId: server.id,
        serverOrigin: server.origin,
        serverTrusted: false,
        launch: launchTarget(server),
        launchFingerprint: server.launchFingerprint,
        toolName: tool.name,
        toolFingerprint: entry.fingerprint,
        annotations: tool.annotations,
        args,
        workspace: this.#workspace,
        now: this.#clock.now(),
        usage: noUsage,
        paths: noPaths,
      },
      this.policy,
      this.grants,
    );
  }
}

function launchTarget({ launch }: CallServer): LaunchTarget {
  return launch.kind === 'stdio'
    ? { kind: 'stdio', command: launch.command, args: launch.args }
    : { kind: 'http', url: launch.url };
}
