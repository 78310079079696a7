import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after } from 'node:test';
import type { AddressInfo } from 'node:net';
import { Collector } from '../../../src/vscode/collector.ts';
import { auditKit, makeCalls } from '../../helpers/auditKit.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

async function listener(status: number): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies.push(`${request.headers.authorization ?? ''} ${body}`);
      response.writeHead(status).end('{}');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
  };
}

describe('the collector of the settings', () => {
  it('gets finished calls while it is set, and none before or after', async () => {
    const kit = auditKit();
    const log = kit.open();
    const [first, second] = [await listener(200), await listener(200)];
    const collector = new Collector({ audit: log, version: '1', log: assert.fail, tell: assert.fail });
    const headers = { authorization: 'Bearer x' };
    await makeCalls(log, 1, 'before');
    collector.configure({ endpoint: first.url, headers, content: false });
    await makeCalls(log, 2, 'one');
    // What waits still goes where it was to go.
    collector.configure({ endpoint: second.url, headers: {}, content: true });
    await makeCalls(log, 1, 'two');
    await collector.flush();
    collector.configure(undefined);
    await makeCalls(log, 1, 'after');
    await collector.flush();
    const spans = (bodies: readonly string[]): string[] =>
      [...bodies.join('').matchAll(/"gen_ai.tool.call.id","value":\{"stringValue":"(\w+)"/g)].map(
        ([, id]) => id ?? '',
      );
    assert.deepEqual(spans(second.bodies), ['two1']);
    assert.match(second.bodies.join(''), /hello 1/);
    assert.deepEqual(spans(first.bodies), ['one1', 'one2']);
    assert.match(first.bodies.join(''), /^Bearer x /);
    assert.doesNotMatch(first.bodies.join(''), /hello/);
    collector.dispose();
    await kit.end();
  });

  for (const [name, endpoint] of [
    ['no address', 'nowhere'],
    ['an address that is not HTTP', 'file:///etc/passwd'],
  ] as const) {
    it(`${name} is told once and holds up nothing`, async () => {
      const kit = auditKit();
      const log = kit.open();
      const told: string[] = [];
      const collector = new Collector({
        audit: log,
        version: '1',
        log: () => {},
        tell: (text) => told.push(text),
      });
      collector.configure({ endpoint, headers: {}, content: false });
      collector.configure({ endpoint, headers: {}, content: false });
      await makeCalls(log, 1);
      await collector.flush();
      assert.equal(told.length, 1);
      assert.match(
        told[0] ?? '',
        /^Calls are not exported\. "countersign\.audit\.otlp\.endpoint" cannot be used/,
      );
      collector.dispose();
      await kit.end();
    });
  }

  it('a collector that refuses is told once; the log has the rest', async () => {
    const kit = auditKit();
    const log = kit.open();
    const refusing = await listener(400);
    const told: string[] = [];
    const collector = new Collector({
      audit: log,
      version: '1',
      log: () => {},
      tell: (text) => told.push(text),
    });
    collector.configure({ endpoint: refusing.url, headers: {}, content: false });
    for (const name of ['a', 'b']) {
      await makeCalls(log, 1, name);
      await collector.flush();
    }
    assert.equal(refusing.bodies.length, 2);
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /status 400/);
    collector.dispose();
    await kit.end();
  });
});
