import { randomBytes, randomUUID } from 'node:crypto';
import type { AuditPort } from '../audit/auditLog.ts';
import type { CallSubject } from '../audit/events.ts';
import { digest } from '../base/canonicalJson.ts';
import type { Clock } from '../base/clock.ts';
import { HostError, RpcError, errorMessage, isCancellation } from '../base/errors.ts';
import type { ContentBlock, Progress, ReadResourceResult } from '../protocol/model.ts';
import { checkBlocks, shownNumbers } from '../tools/checkResult.ts';
import { TimeSlice } from '../base/timeSlice.ts';
import { lead } from '../tools/resultView.ts';
import type { CallServer, CallServers } from './callServers.ts';
import { numberProblems } from './resultProblems.ts';
import type { KeptResult, ResultShelf } from './resultShelf.ts';
import type { RunningCalls } from './runningCalls.ts';
import type { CallTimeouts } from './invokerPorts.ts';

export interface ResourceReadsPorts {
  readonly audit: AuditPort;
  readonly clock: Clock;
  readonly running: RunningCalls;
  readonly servers: CallServers;
  readonly shelf: ResultShelf;
  readonly timeouts: () => CallTimeouts;
}

/** What a person wants to see, and the result whose link it is. */
export interface ResourceRequest {
  readonly from: KeptResult;
  readonly uri: string;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** As it stands on record where a call has its tool. */
const method = 'resources/read';

/**
 * Reads resources for a person who has opened a link, from the server that gave it and no other. It is their own
 * act, so nobody is asked; it is on record like a call, and what the server asks in its middle goes to the person.
 */
export class ResourceReads {
  readonly #ports: ResourceReadsPorts;

  constructor(ports: ResourceReadsPorts) {
    this.#ports = ports;
  }

  /** The contents, kept on the shelf. @throws RpcError, HostError */
  async read(request: ResourceRequest): Promise<KeptResult> {
    const { from } = request;
    const server = this.#server(from);
    const caller = { kind: 'user', label: 'you' } as const;
    const subject: CallSubject = { callId: randomUUID(), caller, serverId: from.serverId, tool: method };
    const { running, clock, audit, shelf } = this.#ports;
    running.begin(subject);
    const start = clock.monotonic();
    try {
      const result = await this.#send(server, subject, request);
      const lost = shownNumbers(result.lostNumbers ?? []);
      await audit.recordResult({
        ...subject,
        kind: 'result',
        isError: false,
        durationMs: clock.monotonic() - start,
        result: {
          content: blocksOf(result),
          isError: false,
        },
        ...(lost.length === 0 ? {} : { problems: numberProblems(lost) }),
      });
      const kept = await keptContents(subject.callId, request, result);
      shelf.keep(kept);
      return kept;
    } catch (error) {
      this.#recordFailure(subject, error, clock.monotonic() - start);
      throw error;
    } finally {
      running.end(subject.callId);
    }
  }

  /** @throws HostError if the server is not the one that gave the link */
  #server({ serverId, launchFingerprint }: KeptResult): CallServer {
    const server = this.#ports.servers.get(serverId);
    if (server === undefined)
      throw new HostError('notRunning', `The server "${serverId}" is not there any more.`);
    if (server.launchFingerprint !== launchFingerprint) {
      throw new HostError(
        'denied',
        `The server "${serverId}" is not, or not provably, the one that gave this link: it is configured otherwise now.`,
      );
    }
    return server;
  }

  async #send(
    server: CallServer,
    subject: CallSubject,
    { from, uri, signal, onProgress }: ResourceRequest,
  ): Promise<ReadResourceResult> {
    const client = await server.ready(signal);
    const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
    const args = { uri };
    await this.#ports.audit.intent(
      {
        ...subject,
        kind: 'intent',
        method,
        linkedFrom: from.id,
        arguments: args,
        digest: digest(args),
        decision: { outcome: 'allow', by: { kind: 'person', promptId: '' } },
        launchFingerprint: server.launchFingerprint,
        era: client.era,
        protocolVersion: client.protocolVersion,
        transport: server.launch.kind,
        traceparent,
      },
      { personDecided: true },
    );
    return client.readResource(uri, {
      signal,
      callId: subject.callId,
      traceparent,
      onProgress,
      ...this.#ports.timeouts(),
    });
  }

  #recordFailure(subject: CallSubject, error: unknown, durationMs: number): void {
    const { audit } = this.#ports;
    if (isCancellation(error))
      return audit.record({ ...subject, kind: 'cancelled', by: 'person', durationMs });
    audit.record({
      ...subject,
      kind: 'error',
      source: error instanceof RpcError ? 'server' : 'host',
      code: error instanceof RpcError || error instanceof HostError ? String(error.code) : 'unexpected',
      message: errorMessage(error),
      durationMs,
      ...(error instanceof RpcError && error.data !== undefined ? { data: error.data } : {}),
    });
  }
}

async function keptContents(
  id: string,
  { from, uri, name }: ResourceRequest,
  result: ReadResourceResult,
): Promise<KeptResult> {
  const { contents } = result;
  return {
    id,
    subject: 'resource',
    serverId: from.serverId,
    launchFingerprint: from.launchFingerprint,
    title: name === '' ? uri : name,
    checked: {
      isError: false,
      blocks: await checkBlocks(blocksOf(result), new TimeSlice()),
      structured: { kind: 'absent' },
      lostNumbers: shownNumbers(result.lostNumbers ?? []),
    },
    leads: contents.length === 0 ? [lead('info', 'The server says that the resource is empty.')] : [],
    raw: result,
  };
}

/** The contents as a tool would return them, with those that could not be read at the end. */
function blocksOf({ contents, unread = [] }: ReadResourceResult): readonly ContentBlock[] {
  return [
    ...contents.map((resource): ContentBlock => ({ type: 'resource', resource })),
    ...unread.map((item): ContentBlock => ({
      type: 'unknown',
      claimedType: 'resource',
      raw: { type: 'resource', resource: item },
    })),
  ];
}
