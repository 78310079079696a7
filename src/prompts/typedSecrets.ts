import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import type { FormField, FormModel } from '../shared/formModel.ts';
import { asksForSecret } from './secretField.ts';

const mostValues = 1000;

/**
 * What a person has typed where a secret was asked for, so that it can be kept off the record when the server says it
 * again. `warned`: the form as a whole asks for one, and no field of its own says so.
 */
export function typedSecrets(form: FormModel, content: JsonObject, warned: boolean): readonly string[] {
  if (form.kind === 'fields')
    return form.fields.flatMap((field) => secretsIn(field, own(content, field.name), warned));
  return form.kind === 'json' && warned ? secretsWithin(content) : [];
}

function own(content: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(content, name) ? content[name] : undefined;
}

function secretsIn(field: FormField, value: JsonValue | undefined, warned: boolean): readonly string[] {
  if (value === undefined) return [];
  if (field.kind === 'json') return field.secret ? secretsWithin(value) : [];
  const isTyped = field.kind === 'text' || field.kind === 'number';
  if (!isTyped || (typeof value !== 'string' && typeof value !== 'number')) return [];
  return field.secret || (warned && field.kind === 'text') ? [String(value)] : [];
}

/** The texts under names of secrets; without any such name, all texts. */
function secretsWithin(value: JsonValue): readonly string[] {
  const named = textsIn(value, (name) =>
    asksForSecret({ name, title: undefined, description: undefined, format: undefined }),
  );
  return named.length > 0 ? named : textsIn(value, () => true);
}

function textsIn(value: JsonValue, isWanted: (name: string) => boolean): readonly string[] {
  const found: string[] = [];
  const waiting: { readonly value: JsonValue | undefined; readonly wanted: boolean }[] = [
    { value, wanted: isWanted('') },
  ];
  for (let next = waiting.pop(); next !== undefined && found.length < mostValues; next = waiting.pop()) {
    const { value: current, wanted } = next;
    if (Array.isArray(current))
      for (const part of current as JsonValue[]) waiting.push({ value: part, wanted });
    else if (isJsonObject(current))
      for (const [name, part] of Object.entries(current))
        waiting.push({ value: part, wanted: wanted || isWanted(name) });
    else if (wanted && (typeof current === 'string' || typeof current === 'number'))
      found.push(String(current));
  }
  return found;
}
