import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuditRecord } from '../../src/audit/events.ts';
import { OtlpExporter, type OtlpSettings } from '../../src/audit/export/otlpExporter.ts';
import { postOtlp } from '../../src/audit/export/otlpHttp.ts';
import { systemClock } from '../../src/base/clock.ts';
import { Emitter } from '../../src/base/event.ts';
import { type AuditKit, auditKit, intent, makeCalls, result, subject } from '../helpers/auditKit.ts';
import { ManualClock } from '../helpers/manualClock.ts';
import { describe, it } from '../helpers/nodeTest.ts';

interface Received {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly spans: readonly { readonly name: string; readonly traceId: string }[];
}

/** A collector on the loopback interface, which answers as it is told. */
async function collector(answer: (response: ServerResponse, number: number) => void): Promise<{
  readonly url: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
}> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
        resourceSpans: { scopeSpans: { spans: Received['spans'] }[] }[];
      };
      const spans = body.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans));
      received.push({ path: request.url, headers: request.headers, spans });
      answer(response, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const ok = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');

interface Setup {
  readonly kit: AuditKit;
  readonly clock: ManualClock;
  readonly problems: string[];
  readonly log: ReturnType<AuditKit['open']>;
  readonly exporter: OtlpExporter;
}

function setup(endpoint: string, more: Partial<OtlpSettings> = {}): Setup {
  const kit = auditKit();
  const log = kit.open({}, systemClock);
  const clock = new ManualClock();
  const problems: string[] = [];
  const settings = {
    endpoint,
    headers: {},
    content: false,
    version: '1.2.3',
    sessionId: log.sessionId,
    ...more,
  };
  const onProblem = (message: string): void => void problems.push(message);
  const exporter = new OtlpExporter(settings, log.onRecorded, { post: postOtlp, clock, onProblem });
  return { kit, clock, problems, log, exporter };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe('the exporter', () => {
  it('sends finished calls in batches, with headers, and nothing that is not asked for', async () => {
    const receiver = await collector(ok);
    const { kit, clock, log, exporter } = setup(receiver.url, { headers: { 'x-team': 'a' } });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await log.intent(
      { ...intent(subject('c1'), { password: 'hunter2' }), traceparent },
      { personDecided: false },
    );
    log.record(result(subject('c1')));
    await makeCalls(log, 2, 'd');
    await log.intent(intent(subject('still-running')), { personDecided: false });
    assert.equal(exporter.waiting, 3);
    clock.advance(2_000);
    await until(() => exporter.waiting === 0);
    const [request, ...more] = receiver.received;
    assert.deepEqual(more, []);
    assert.equal(request?.path, '/v1/traces');
    assert.deepEqual([request.headers['content-type'], request.headers['x-team']], ['application/json', 'a']);
    assert.deepEqual(
      request.spans.map((span) => span.name),
      ['tools/call echo', 'tools/call echo', 'tools/call echo'],
    );
    assert.equal(request.spans[0]?.traceId, '4bf92f3577b34da6a3ce929d0e0e4736');
    const text = JSON.stringify(request);
    assert.deepEqual([text.includes('hunter2'), text.includes('hello')], [false, false]);
    exporter.dispose();
    await receiver.close();
    await kit.end();
  });

  it('sends arguments and results, without their secrets, where that is asked for', async () => {
    const receiver = await collector(ok);
    const { kit, log, exporter } = setup(`${receiver.url}/custom/path`, { content: true });
    await log.intent(intent(subject('c1'), { password: 'hunter2', note: 'hi there' }), {
      personDecided: false,
    });
    log.record(result(subject('c1')));
    await log.sync();
    await exporter.flush();
    const text = JSON.stringify(receiver.received);
    assert.deepEqual([text.includes('hunter2'), text.includes('hi there')], [false, true]);
    assert.equal(receiver.received[0]?.path, '/custom/path');
    exporter.dispose();
    await receiver.close();
    await kit.end();
  });

  it('tries again what may succeed later, and keeps what it has till then', async () => {
    const answers = [503, 429, 200];
    const receiver = await collector((response, number) => {
      response.writeHead(answers[number - 1] ?? 200, number === 2 ? { 'retry-after': '30' } : {}).end();
    });
    const { kit, clock, log, problems, exporter } = setup(receiver.url);
    await makeCalls(log, 1);
    clock.advance(2_000);
    await until(() => clock.waiting === 1);
    assert.equal(exporter.waiting, 1);
    clock.advance(1_000);
    await until(() => receiver.received.length === 2 && clock.waiting === 1);
    clock.advance(29_000);
    assert.equal(receiver.received.length, 2);
    clock.advance(1_000);
    await until(() => exporter.waiting === 0);
    assert.deepEqual([receiver.received.length, exporter.dropped], [3, 0]);
    assert.deepEqual(
      problems.map((problem) => /status \d+/.exec(problem)?.[0]),
      ['status 503', 'status 429'],
    );
    exporter.dispose();
    await receiver.close();
    await kit.end();
  });

  it('gives up what is refused for good, and says so', async () => {
    const receiver = await collector((response, number) => {
      if (number === 1) response.writeHead(400).end();
      else {
        const partialSuccess = { rejectedSpans: '1', errorMessage: 'too old' };
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ partialSuccess }));
      }
    });
    const { kit, log, problems, exporter } = setup(receiver.url);
    await makeCalls(log, 2);
    await exporter.flush();
    assert.deepEqual([exporter.waiting, exporter.dropped], [0, 2]);
    await makeCalls(log, 3, 'd');
    await exporter.flush();
    assert.deepEqual([exporter.waiting, exporter.dropped], [0, 3]);
    assert.match(problems[1] ?? '', /refused 1 spans: too old/);
    exporter.dispose();
    await receiver.close();
    await kit.end();
  });

  it('never follows a redirect with its headers', async () => {
    const other = await collector(ok);
    const receiver = await collector(
      (response) => void response.writeHead(307, { location: other.url }).end(),
    );
    const { kit, log, exporter } = setup(receiver.url, { headers: { authorization: 'Bearer secret' } });
    await makeCalls(log, 1);
    await exporter.flush();
    assert.deepEqual([receiver.received.length, other.received.length, exporter.dropped], [1, 0, 1]);
    exporter.dispose();
    await receiver.close();
    await other.close();
    await kit.end();
  });

  it('holds up no call when the collector is away, hangs, or answers without end', async () => {
    const endless = await collector((response) => {
      response.writeHead(200);
      const write = (): void => {
        if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(write));
      };
      write();
    });
    const hanging = await collector(() => undefined);
    for (const url of ['http://127.0.0.1:1', hanging.url, endless.url]) {
      const { kit, clock, log, exporter } = setup(url);
      await makeCalls(log, 1);
      clock.advance(2_000);
      for (let round = 0; round < 5; round++) {
        await makeCalls(log, 50, `r${round}-`);
        clock.advance(1_000);
      }
      assert.deepEqual(log.state, { kind: 'recording' });
      exporter.dispose();
      await kit.end();
    }
    await hanging.close();
    await endless.close();
  });

  it('bounds what it keeps', async () => {
    const { kit, log, problems, exporter } = setup('http://127.0.0.1:1');
    for (let index = 0; index < 5_000; index++) {
      log.record(intent(subject(`c${index}`)));
      log.record(result(subject(`c${index}`)));
    }
    await log.sync();
    assert.deepEqual([exporter.waiting, exporter.dropped], [4_096, 904]);
    assert.equal(problems.length, 1);
    exporter.dispose();
    await kit.end();
  });

  it('wants an address of the web', () => {
    for (const endpoint of ['', 'localhost:4318', 'file:///etc/passwd', 'ftp://x.example']) {
      const settings = { endpoint, headers: {}, content: false, version: '1', sessionId: 's' };
      const ports = { post: postOtlp, clock: new ManualClock(), onProblem: () => undefined };
      const onRecorded = new Emitter<AuditRecord>().event;
      assert.throws(() => new OtlpExporter(settings, onRecorded, ports), TypeError, endpoint);
    }
  });
});
