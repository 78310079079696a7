import { parentPort } from 'node:worker_threads';
import type { JsonObject } from '../base/json.ts';
import { measureJson } from './jsonMeasure.ts';
import type { SchemaReply, SchemaRequest } from './schemaMessages.ts';
import { SCHEMA_BOUNDS } from './schemaPlan.ts';
import { type CompiledSchema, compileSchema, readSchema } from './schemaReading.ts';
import type { SchemaState } from './schemaVerdict.ts';

/*
 * The worker's own program: checks what may take long, on a thread that the host ends when it does. The host sends
 * one request at a time.
 */

/**
 * JSON values of all schemas that are kept compiled; each takes about a kilobyte. The oldest go first, and the host
 * sends them again when they are needed.
 */
const MAX_KEPT_VALUES = 100_000;

const kept = new Map<number, { readonly compiled: CompiledSchema; readonly values: number }>();
let keptValues = 0;

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
      const compiled = kept.get(request.key)?.compiled;
      if (compiled === undefined) return { kind: 'unknownKey' };
      if (compiled.kind === 'unusable') {
        return { kind: 'checked', verdict: { kind: 'refused', reason: compiled.reason } };
      }
      return { kind: 'checked', verdict: compiled.check(request.value) };
    }
  }
}

async function admit(key: number, schema: JsonObject): Promise<SchemaState> {
  const reading = await readSchema(schema);
  if (reading.kind === 'unusable') return reading;
  const compiled = compileSchema(schema, reading.compiler);
  keep(key, schema, compiled);
  if (compiled.kind === 'unusable') return compiled;
  return { kind: 'usable', ...(reading.note === undefined ? {} : { note: reading.note }) };
}

function keep(key: number, schema: JsonObject, compiled: CompiledSchema): void {
  const measure = measureJson(schema, SCHEMA_BOUNDS);
  const values = measure.kind === 'within' ? measure.values : SCHEMA_BOUNDS.values;
  forget(key);
  for (const oldest of kept.keys()) {
    if (keptValues + values <= MAX_KEPT_VALUES) break;
    forget(oldest);
  }
  kept.set(key, { compiled, values });
  keptValues += values;
}

function forget(key: number): void {
  keptValues -= kept.get(key)?.values ?? 0;
  kept.delete(key);
}
