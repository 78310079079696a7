import type { AuditPort } from '../../src/audit/auditLog.ts';
import type { JsonValue } from '../../src/base/json.ts';
import { InputRequests } from '../../src/calls/inputRequests.ts';
import { RunningCalls } from '../../src/calls/runningCalls.ts';
import { SamplingRequests } from '../../src/calls/samplingRequests.ts';
import type { InputHandler } from '../../src/client/mcpClient.ts';
import { Arming } from '../../src/prompts/arming.ts';
import { PromptQueue } from '../../src/prompts/promptQueue.ts';
import type { FormField } from '../../src/shared/formModel.ts';
import type { PromptCard } from '../../src/shared/promptCard.ts';
import { SchemaChecker } from '../../src/tools/schemaChecker.ts';
import { ManualClock } from '../helpers/manualClock.ts';

const noRecord: AuditPort = {
  record: () => {},
  recordResult: () => Promise.resolve(),
  intent: () => Promise.resolve(),
};

/** The extension's own handlers, with a person who submits each form as it stands and agrees to what is asked. */
export function agreeablePerson(): InputHandler {
  const clock = new ManualClock();
  const queue = new PromptQueue({ clock });
  const arming = new Arming(clock, 500);
  queue.onDidChange(() => {
    for (const card of queue.pending) {
      arming.shown(card.id, card.digest);
      clock.advance(500);
      const answer =
        card.kind === 'form'
          ? { kind: 'submit' as const, content: contentOf(card) }
          : { kind: 'cancel' as const };
      void queue.answer(card.id, card.digest, answer, arming);
    }
  });
  const models = {
    available: false,
    settled: () => Promise.resolve(),
    list: () => Promise.resolve([]),
    ask: () => Promise.reject(new Error('no model')),
  };
  const inputs = new InputRequests({
    queue,
    audit: noRecord,
    checker: new SchemaChecker(),
    running: new RunningCalls(),
    sampling: new SamplingRequests({
      queue,
      audit: noRecord,
      models,
      clock,
      settings: () => ({ mode: 'ask', perHour: 20 }),
      tell: () => {},
      expiry: () => ({}),
    }),
    openUrl: () => Promise.resolve(false),
    tell: () => {},
    secretsTyped: () => undefined,
    roots: () => [],
    completed: () => undefined,
    expiry: () => ({}),
  });
  return inputs.handler('conformance');
}

function contentOf(card: PromptCard & { readonly kind: 'form' }): Record<string, JsonValue> {
  if (card.form.kind !== 'fields') return {};
  const pairs = card.form.fields.map((field) => [field.name, valueOf(field)] as const);
  return Object.fromEntries(pairs.filter((pair): pair is [string, JsonValue] => pair[1] !== undefined));
}

function valueOf(field: FormField): JsonValue | undefined {
  switch (field.kind) {
    case 'choice':
      return field.initial === undefined ? undefined : field.options[field.initial]?.value;
    case 'choices':
      return field.initial?.map((place) => field.options[place]?.value ?? null);
    case 'boolean':
      return field.initial ?? true;
    case 'text':
    case 'number':
    case 'json':
      return field.initial;
  }
}
