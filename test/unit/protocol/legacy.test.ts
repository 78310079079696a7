import assert from 'node:assert/strict';
import {
  encodeInitializeParams,
  LegacyCodec,
  readInitializeResult,
} from '../../../src/protocol/wire/legacy.ts';
import { describe, it } from '../../helpers/nodeTest.ts';

describe('LegacyCodec', () => {
  const codec = new LegacyCodec('2025-06-18');

  it('adds to requests only what is asked for', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01';
    assert.deepEqual(codec.encodeParams({ a: 1 }, {}), { a: 1 });
    assert.deepEqual(codec.encodeParams({ a: 1 }, { traceparent, logLevel: 'debug' }, 2), {
      a: 1,
      _meta: { progressToken: 2, traceparent },
    });
  });

  it('takes every result as complete and nothing as fresh', () => {
    assert.deepEqual(
      [codec.readOutcome(), codec.readCacheHint()],
      [{ kind: 'complete' }, { ttlMs: 0, scope: 'private' }],
    );
  });
});

describe('the handshake', () => {
  it('declares what we can do in its own form', () => {
    const capabilities = {
      elicitation: { form: {}, url: {} },
      sampling: { tools: {} },
      roots: { listChanged: true },
      extensions: { 'com.example/x': {} },
    };
    assert.deepEqual(
      encodeInitializeParams('2025-11-25', { name: 'n', version: '1', title: 't' }, capabilities),
      {
        protocolVersion: '2025-11-25',
        clientInfo: { name: 'n', version: '1', title: 't' },
        capabilities: {
          elicitation: { form: {}, url: {} },
          sampling: { tools: {} },
          roots: { listChanged: true },
        },
      },
    );
  });

  it('reads what the server says about itself, whatever is missing or wrong', () => {
    assert.deepEqual(
      [
        readInitializeResult({
          protocolVersion: '2025-03-26',
          capabilities: {
            tools: { listChanged: true, x: 1 },
            resources: { subscribe: 'yes' },
            prompts: true,
            logging: 1,
            tasks: {},
          },
          serverInfo: { name: 's', version: 2, icons: [{ src: 'a', theme: 'pink' }, {}, 3] },
          instructions: 'Do.',
        }),
        readInitializeResult({ protocolVersion: 3, capabilities: [], serverInfo: 'me', instructions: {} }),
      ],
      [
        {
          version: '2025-03-26',
          capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
          serverInfo: { name: 's', version: '', icons: [{ src: 'a' }] },
          instructions: 'Do.',
        },
        { version: undefined, capabilities: {}, serverInfo: undefined, instructions: undefined },
      ],
    );
  });
});
