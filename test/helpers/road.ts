import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AuditLog } from '../../src/audit/auditLog.ts';
import type { AuditEvent } from '../../src/audit/events.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createRoad, type Road, type RoadPorts, type RoadSettings } from '../../src/calls/road.ts';
import { noManagedPolicy } from '../../src/policy/managedPolicy.ts';
import { nodePaths } from '../../src/policy/nodePaths.ts';
import { Arming } from '../../src/prompts/arming.ts';
import { parseServers } from '../../src/servers/configuration.ts';
import { createConnector } from '../../src/servers/connectServer.ts';
import type { PageAnswer } from '../../src/shared/pageMessage.ts';
import type { PromptCard } from '../../src/shared/promptCard.ts';
import { strictlyChecked } from './checkedTransport.ts';
import { ManualClock } from './manualClock.ts';
import { MemoryStateFile } from './memoryStateFile.ts';

export interface TestRoad extends Road {
  readonly audit: AuditLog;
  /** The folder of the record. */
  readonly auditFolder: string;
  /** What was recorded so far, as stored. */
  readonly events: readonly AuditEvent[];
  readonly told: readonly string[];
  readonly opened: readonly string[];
  /** Resolves once that many servers run. */
  running(count: number): Promise<void>;
  /** The first prompt that waits, now or later. */
  prompt(): Promise<PromptCard>;
  /** Answers a prompt as a person would who has looked at it long enough. */
  answer(card: PromptCard, answer: PageAnswer): Promise<void>;
}

export interface TestRoadOptions {
  readonly servers: unknown;
  readonly workspaceServers?: unknown;
  readonly settings?: Partial<RoadSettings>;
  readonly ports?: Partial<RoadPorts>;
  /** For measuring: `events` stays empty, and messages are not held against the official schema. */
  readonly bare?: boolean;
  /** How arguments and results are kept. Default: `full`. */
  readonly storage?: 'full' | 'redacted';
}

/** The whole program without an editor, on real servers, with a person whom the test plays. */
export async function startRoad(options: TestRoadOptions): Promise<TestRoad> {
  const root = mkdtempSync(path.join(tmpdir(), 'countersign-road-'));
  const auditFolder = path.join(root, 'audit');
  const clock = options.ports?.clock ?? systemClock;
  const audit = new AuditLog(
    { folder: auditFolder, storage: options.storage ?? 'full', sync: 'group', whenFailing: 'stop' },
    new Uint8Array(32),
    clock,
  );
  const events: AuditEvent[] = [];
  const told: string[] = [];
  const opened: string[] = [];
  if (options.bare !== true) audit.onRecorded(({ event }) => events.push(event));
  const road = await createRoad({
    clock,
    audit,
    connect: createConnector({
      clientInfo: { name: 'countersign', version: '0' },
      clock,
      probeTimeoutMs: () => 3000,
      ...(options.bare === true ? {} : { watch: strictlyChecked }),
      environment: process.env,
    }),
    grantsFile: new MemoryStateFile(),
    pinsFile: new MemoryStateFile(),
    enabled: { get: () => undefined, set: () => {} },
    workerUrl: pathToFileURL(path.resolve(import.meta.dirname, '../../src/tools/schemaWorker.ts')),
    models: {
      available: false,
      settled: () => Promise.resolve(),
      list: () => Promise.resolve([]),
      ask: () => Promise.reject(new Error('no model')),
    },
    paths: nodePaths(),
    managed: noManagedPolicy,
    settings: {
      timeouts: () => ({ timeoutMs: 20_000, maxTimeoutMs: 60_000 }),
      toolLimit: () => 128,
      resultBytes: () => 64 * 1024,
      trustedServers: () => new Set(),
      sampling: () => ({ mode: 'ask', perHour: 20 }),
      sharesFolders: () => false,
      reviewsResults: () => false,
      promptExpiry: () => 0,
      ...options.settings,
    },
    workspace: () => ({ id: 'file:///ws', name: 'ws', folders: [{ name: 'ws', path: root }] }),
    isWorkspaceTrusted: () => true,
    roots: () => [{ uri: pathToFileURL(root).href, name: 'ws' }],
    variables: () => ({ workspaceFolder: root, userHome: homedir(), environment: process.env }),
    serverLog: () => {},
    openUrl: (url) => {
      opened.push(url);
      return Promise.resolve(true);
    },
    tell: (message) => told.push(message),
    ...options.ports,
  });
  const { entries } = parseServers({ user: options.servers, workspace: options.workspaceServers });
  road.manager.configure(entries, true);

  const until = <T>(
    find: () => T | undefined,
    changed: (run: () => void) => { dispose(): void },
  ): Promise<T> =>
    new Promise((resolve) => {
      const first = find();
      if (first !== undefined) return resolve(first);
      const subscription = changed(() => {
        const found = find();
        if (found === undefined) return;
        subscription.dispose();
        resolve(found);
      });
    });

  return {
    ...road,
    audit,
    auditFolder,
    events,
    told,
    opened,
    async running(count) {
      const enough = (): true | undefined =>
        road.manager.servers.filter(({ state }) => state.kind === 'running').length >= count || undefined;
      await until(enough, road.manager.onDidChange);
      await road.settled();
    },
    prompt: () => until(() => road.queue.pending[0], road.queue.onDidChange),
    async answer(card, answer) {
      // The card stands in view for as long as it takes, in a time of its own.
      const time = new ManualClock();
      const arming = new Arming(time, 500);
      arming.shown(card.id, card.digest);
      time.advance(500);
      const verdict = await road.queue.answer(card.id, card.digest, answer, arming);
      if (verdict.kind === 'refused') throw new Error(`the answer was refused: ${JSON.stringify(verdict)}`);
    },
    async close() {
      await road.close();
      await audit.close('the test ended');
      road.dispose();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
