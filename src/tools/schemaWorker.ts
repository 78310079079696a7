import { parentPort } from 'node:worker_threads';
import type { SchemaReply, SchemaRequest } from './schemaMessages.ts';
import { type CompiledSchema, compileSchema, readSchema } from './schemaReading.ts';
import type { SchemaState } from './schemaVerdict.ts';

/*
 * The worker's own program: checks what may take long, on a thread that the host ends when it does. The host sends
 * one request at a time.
 */

/** Enough for a busy server; the oldest goes first, and the host sends it again when it is needed. */
const MAX_KEPT = 200;

const kept = new Map<number, CompiledSchema>();

parentPort?.on('message', (request: SchemaRequest) => {
  void answer(request).then(post);
});
post({ kind: 'ready' });

function post(reply: SchemaReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the other end is a thread, not a window
  parentPort?.postMessage(reply);
}

async function answer(request: SchemaRequest): Promise<SchemaReply> {
  switch (request.kind) {
    case 'admit':
      return { kind: 'admitted', state: await admit(request.key, request.schema) };
    case 'check': {
      const compiled = kept.get(request.key);
      if (compiled === undefined) return { kind: 'unknownKey' };
      if (compiled.kind === 'unusable') {
        return { kind: 'checked', verdict: { kind: 'refused', reason: compiled.reason } };
      }
      return { kind: 'checked', verdict: compiled.check(request.value) };
    }
  }
}

async function admit(key: number, schema: Parameters<typeof readSchema>[0]): Promise<SchemaState> {
  const reading = await readSchema(schema);
  if (reading.kind === 'unusable') return reading;
  const compiled = compileSchema(schema, reading.compiler);
  for (const oldest of kept.keys()) {
    if (kept.size < MAX_KEPT) break;
    kept.delete(oldest);
  }
  kept.set(key, compiled);
  if (compiled.kind === 'unusable') return compiled;
  return { kind: 'usable', ...(reading.note === undefined ? {} : { note: reading.note }) };
}
