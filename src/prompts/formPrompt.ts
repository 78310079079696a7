import type { JsonObject } from '../base/json.ts';
import { decode } from '../shared/decode.ts';
import { type FormModel, formModel } from '../shared/formModel.ts';
import type { CallContext } from '../shared/inputCards.ts';
import type { SchemaChecker } from '../tools/schemaChecker.ts';
import { InputCheck } from './checkInput.ts';
import { formModelOf, jsonModelOf } from './formModel.ts';
import { type NoAnswer, cancelledInput, deniedInput } from './inputAnswer.ts';
import { shownMessage } from './preview.ts';
import type { Prompt, Settlement } from './prompt.ts';
import { promptHead } from './promptHead.ts';
import { schemaAsksForSecret, textAsksForSecret } from './secretField.ts';
import { typedSecrets } from './typedSecrets.ts';

/** A form that a server asks a person to fill in. */
export interface FormRequest {
  readonly serverId: string;
  readonly message: string;
  readonly requestedSchema: JsonObject;
  readonly call?: CallContext;
  readonly expiresInMs?: number;
}

export type FormAnswer =
  | NoAnswer
  | (Settlement & {
      readonly kind: 'accept';
      /** Matches the schema that the server sent. */
      readonly content: JsonObject;
      /** What of it was typed where a secret was asked for; absent: nothing. */
      readonly secrets?: readonly string[];
    });

/** A form that the page would refuse to show must not end as an answer that nobody gave. */
function showable(form: FormModel): FormModel {
  if (decode(formModel, form).ok) return form;
  return { kind: 'json', reason: 'The form is too large or too deep to be shown.', initial: {} };
}

async function formOf(schema: JsonObject, check: InputCheck): Promise<FormModel> {
  const unusable = await check.refusal();
  if (unusable !== undefined) return { kind: 'impossible', reason: unusable };
  const form = formModelOf(schema);
  // A plain yes is an empty answer: where the schema does not take one, it could only be refused.
  if (form.kind === 'confirm' && (await check.problems({})).length > 0)
    return jsonModelOf(schema, 'An empty answer does not match the schema.');
  return showable(form);
}

/** What no field of its own warns of: the server's words, and an answer typed as a whole. */
function asksForSecretUnsaid(message: string, schema: JsonObject, form: FormModel): boolean {
  if (form.kind === 'json') return schemaAsksForSecret(schema) || textAsksForSecret(message);
  return form.kind === 'fields' && !form.fields.some(({ secret }) => secret) && textAsksForSecret(message);
}

/** A prompt with a form. Asks the checker first whether the schema can be used at all. */
export async function formPrompt(request: FormRequest, checker: SchemaChecker): Promise<Prompt<FormAnswer>> {
  const check = new InputCheck(checker, request.requestedSchema);
  const form = await formOf(request.requestedSchema, check);
  const secret = asksForSecretUnsaid(request.message, request.requestedSchema, form);
  return {
    ...promptHead({ ...request, caller: request.call?.caller }),
    content: (base) => ({
      kind: 'form',
      ...base,
      serverId: request.serverId,
      message: shownMessage(request.message),
      ...(request.call === undefined ? {} : { call: request.call }),
      ...(secret ? { secret } : {}),
      form,
    }),
    async judge(answer, _card, settlement) {
      if (answer.kind === 'decline' || answer.kind === 'cancel') {
        return { kind: 'answer', answer: { ...settlement, kind: answer.kind } };
      }
      if (answer.kind !== 'submit') return { kind: 'refused', reason: 'wrongKind' };
      const problems = await check.problems(answer.content);
      if (problems.length > 0) return { kind: 'refused', reason: 'invalid', problems };
      const { content } = answer;
      const secrets = typedSecrets(form, content, secret);
      const kept = secrets.length === 0 ? {} : { secrets };
      return { kind: 'answer', answer: { ...settlement, kind: 'accept', content, ...kept } };
    },
    check: (value) => check.problems(value),
    denied: deniedInput,
    cancelled: cancelledInput,
  };
}
