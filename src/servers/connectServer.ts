import type { Clock } from '../base/clock.ts';
import type { KnownEra, TransportSource } from '../client/clientOptions.ts';
import { connectClient } from '../client/connectClient.ts';
import { httpSource, stdioSource } from '../client/transportSources.ts';
import type { Implementation } from '../protocol/model.ts';
import { searchPath } from '../transport/stdioEnvironment.ts';
import { findCommand, loginShellPath, mergeSearchPaths } from './commandSearch.ts';
import type { Connector } from './connector.ts';
import { followLog } from './followLog.ts';
import { type Launch, launchFingerprint } from './launch.ts';

export interface ConnectorOptions {
  readonly clientInfo: Implementation;
  readonly clock: Clock;
  /** Milliseconds; over HTTP at least ten seconds, because a service may have to wake up first. */
  readonly probeTimeoutMs: () => number;
  /** Input rounds in one call, asked for at each call; 10 by default. */
  readonly maxRounds?: () => number;
  /** Stands between the client and what carries its messages; absent: nothing does. */
  readonly watch?: (transports: TransportSource) => TransportSource;
  /** Of this process; servers get the safe part of it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** How long a service behind HTTP may take to answer at all. Milliseconds. */
const wakeUpMs = 10_000;

/** Connects to servers with our own client and transports, and remembers each launch's era. */
export function createConnector(options: ConnectorOptions): Connector {
  const eras = new Map<string, KnownEra>();
  let loginPath: Promise<string | undefined> | undefined;
  const askLoginShell = (): Promise<string | undefined> =>
    (loginPath ??= loginShellPath(options.environment, options.clock));

  return async (launch, hooks, signal) => {
    const fingerprint = launchFingerprint(launch);
    const knownEra = eras.get(fingerprint);
    const { clock, clientInfo } = options;
    const transports =
      launch.kind === 'stdio'
        ? stdioSource({
            ...(await withSearchPath(launch, options, askLoginShell)),
            clock,
            onStderr: (text) => hooks.fromServer('info', () => text),
          })
        : httpSource({
            ...launch,
            clock,
            userAgent: `${clientInfo.name}/${clientInfo.version}`,
            log: (text) => hooks.log({ level: 'debug', text }),
          });
    // What is known may be what fails: the next start finds out anew.
    eras.delete(fingerprint);
    const client = await connectClient(
      {
        transports: options.watch?.(transports) ?? transports,
        clientInfo,
        capabilities: await hooks.capabilities(),
        currentCapabilities: hooks.currentCapabilities,
        inputHandler: hooks.inputHandler,
        clock,
        log: hooks.log,
        probeTimeoutMs: Math.max(options.probeTimeoutMs(), launch.kind === 'http' ? wakeUpMs : 0),
        ...(options.maxRounds === undefined ? {} : { maxRounds: options.maxRounds }),
        ...(knownEra === undefined ? {} : { knownEra }),
      },
      signal,
    );
    eras.set(fingerprint, client.knownEra);
    client.onClosed((error) => {
      if (error?.code === 'unsupportedVersion') eras.delete(fingerprint);
    });
    followLog(client, hooks.shownLevel, hooks.fromServer);
    return client;
  };
}

type StdioLaunch = Launch & { readonly kind: 'stdio' };

/** An editor started from a desktop lacks what the login shell adds to PATH, where npx, uvx and the like often are. */
async function withSearchPath(
  launch: StdioLaunch,
  { environment }: ConnectorOptions,
  askLoginShell: () => Promise<string | undefined>,
): Promise<StdioLaunch> {
  const configured = searchPath(launch.env);
  const own = configured === '' ? searchPath(environment) : configured;
  if (configured !== '' || findCommand(launch.command, own, launch.cwd, environment) !== undefined)
    return launch;
  const more = await askLoginShell();
  return more === undefined
    ? launch
    : { ...launch, env: { ...launch.env, PATH: mergeSearchPaths(own, more) } };
}
