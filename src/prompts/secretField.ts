import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import { isSecretName } from '../policy/secrets.ts';
import { skeleton } from './lookAlike.ts';
import { disguisedWords, harmlessWords, secretAskedFor, secretWord } from './secretWords.ts';
import { visibleOf } from './visibleOf.ts';

/** What a field of a form says of itself. */
export interface FieldWords {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly format: JsonValue | undefined;
}

/** How much of a text is read for words. UTF-16 units. */
const longestName = 500;
const longestText = 2000;
/** How many parts of a schema are looked at. */
const mostParts = 20_000;

/** Whether a field asks for a password, a key or a token (specification: client/elicitation, "Security Considerations"). */
export function asksForSecret({ name, title = '', description = '', format }: FieldWords): boolean {
  if (format === 'password' || isSecretName(name) || isSecretName(title)) return true;
  const words = [wordsOf(name), wordsOf(title)].filter((text) => !harmlessWords.test(text));
  return words.some((text) => secretWord.test(text) || isDisguised(text)) || textAsksForSecret(description);
}

/** Whether sentences ask for one. */
export function textAsksForSecret(text: string): boolean {
  const plain = withoutMarks(text.slice(0, longestText));
  return !harmlessWords.test(plain) && secretAskedFor.some((form) => form.test(plain));
}

/** Whether any property that a schema describes asks for one, however deep it lies. */
export function schemaAsksForSecret(schema: JsonValue): boolean {
  const waiting: (JsonValue | undefined)[] = [schema];
  for (let looked = 0; waiting.length > 0 && looked < mostParts; looked += 1) {
    const next = waiting.pop();
    if (Array.isArray(next)) for (const part of next as readonly JsonValue[]) waiting.push(part);
    if (!isJsonObject(next)) continue;
    const { properties } = next;
    if (isJsonObject(properties) && Object.entries(properties).some(([name, own]) => holdsSecret(name, own)))
      return true;
    for (const part of Object.values(next)) waiting.push(part);
  }
  return false;
}

function holdsSecret(name: string, property: JsonValue | undefined): boolean {
  const own: JsonObject = isJsonObject(property) ? property : {};
  // A tick or a choice gives nothing away.
  if (own['type'] === 'boolean' || own['enum'] !== undefined || own['const'] !== undefined) return false;
  const words = { title: visibleOf(own['title']), description: visibleOf(own['description']) };
  return asksForSecret({ name, ...words, format: own['format'] });
}

/** A word that is drawn like one for a secret, but not spelled so: `pаssword` with a Cyrillic letter, `passw0rd`. */
function isDisguised(text: string): boolean {
  const words = text.split(' ').filter((word) => word !== '');
  const looks = [...words, ...words.slice(1).map((word, place) => `${words[place] ?? ''}${word}`)].map(
    skeleton,
  );
  return looks.some((look) => disguisedLooks.has(look));
}

const disguisedLooks: ReadonlySet<string> = new Set(disguisedWords.map(skeleton));

/** `accessKeyId` and `access_key_id` as "access key id"; letters of other widths as plain ones, hidden ones left out. */
function wordsOf(text: string): string {
  return withoutMarks(text.slice(0, longestName))
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/[_.:/\\-]+/g, ' ');
}

/** Letters as they are typed without accents. Only the marks of European scripts: elsewhere they are letters. */
function withoutMarks(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '');
}
