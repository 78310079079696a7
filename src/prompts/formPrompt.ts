import type { JsonObject } from '../base/json.ts';
import { decode } from '../shared/decode.ts';
import { type FormModel, formModel } from '../shared/formModel.ts';
import type { CallContext } from '../shared/inputCards.ts';
import type { SchemaChecker } from '../tools/schemaChecker.ts';
import { InputCheck } from './checkInput.ts';
import { formModelOf } from './formModel.ts';
import { type NoAnswer, cancelledInput, deniedInput } from './inputAnswer.ts';
import { shownMessage } from './preview.ts';
import type { Prompt, Settlement } from './prompt.ts';
import { promptHead } from './promptHead.ts';

/** A form that a server asks a person to fill in. */
export interface FormRequest {
  readonly serverId: string;
  readonly message: string;
  readonly requestedSchema: JsonObject;
  readonly call?: CallContext;
  readonly expiresInMs?: number;
}

/** `content` matches the schema that the server sent. */
export type FormAnswer = NoAnswer | (Settlement & { readonly kind: 'accept'; readonly content: JsonObject });

/** A form that the page would refuse to show must not end as an answer that nobody gave. */
function showable(form: FormModel): FormModel {
  if (decode(formModel, form).ok) return form;
  return { kind: 'json', reason: 'The form is too large or too deep to be shown.', initial: {} };
}

/** A prompt with a form. Asks the checker first whether the schema can be used at all. */
export async function formPrompt(request: FormRequest, checker: SchemaChecker): Promise<Prompt<FormAnswer>> {
  const check = new InputCheck(checker, request.requestedSchema);
  const unusable = await check.refusal();
  const form =
    unusable === undefined
      ? showable(formModelOf(request.requestedSchema))
      : ({ kind: 'impossible', reason: unusable } as const);
  return {
    ...promptHead({ ...request, caller: request.call?.caller }),
    content: (base) => ({
      kind: 'form',
      ...base,
      serverId: request.serverId,
      message: shownMessage(request.message),
      ...(request.call === undefined ? {} : { call: request.call }),
      form,
    }),
    async judge(answer, _card, settlement) {
      if (answer.kind === 'decline' || answer.kind === 'cancel') {
        return { kind: 'answer', answer: { ...settlement, kind: answer.kind } };
      }
      if (answer.kind !== 'submit') return { kind: 'refused', reason: 'wrongKind' };
      const problems = await check.problems(answer.content);
      if (problems.length > 0) return { kind: 'refused', reason: 'invalid', problems };
      return { kind: 'answer', answer: { ...settlement, kind: 'accept', content: answer.content } };
    },
    check: (value) => check.problems(value),
    denied: deniedInput,
    cancelled: cancelledInput,
  };
}
