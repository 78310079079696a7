import * as fc from 'fast-check';
import { wholePng, wholeWav } from './media.ts';

/*
 * Results as no server should send them: every kind of content with members that are missing, of a wrong type, huge,
 * deep, or named like what objects have by themselves.
 */

const names = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'type',
  'text',
  'data',
  'uri',
  'a',
  '',
];
const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`);
const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64');
const samples = [
  base64(wholePng(3, 2)),
  base64(wholeWav(0.1)),
  base64('GIF89a'),
  base64('RIFF'),
  base64('x'),
];

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 1e308, '', ' ', '\u202e', '\ud83d', '\0', 'x'.repeat(5_000)),
  fc.constantFrom(
    ...samples,
    'not base64!',
    'text/plain',
    'image/png',
    'audio/L16',
    'image/x-new',
    'A/B;c=d',
  ),
  fc.constantFrom<unknown>(
    deep(100),
    Array.from({ length: 300 }, (_, index) => ({ index })),
  ),
  fc.constantFrom('javascript:alert(1)', 'https://x.example/<script>', 'file:///a', 'data:text/html,<b>'),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string(),
  fc.jsonValue({ maxDepth: 2 }),
  fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 }),
);

const annotations = { audience: ['user', 'assistant'], priority: 0.5, lastModified: '2026-01-01' };
const blocks: readonly Readonly<Record<string, unknown>>[] = [
  { type: 'text', text: '<b>hello</b>', annotations },
  { type: 'image', data: samples[0], mimeType: 'image/png', annotations },
  { type: 'audio', data: samples[1], mimeType: 'audio/wav' },
  { type: 'audio', data: samples[4], mimeType: 'audio/L16' },
  {
    type: 'resource_link',
    uri: 'x:a',
    name: 'a',
    title: 't',
    description: 'd',
    mimeType: 'a/b',
    size: 3,
    icons: [],
  },
  { type: 'resource', resource: { uri: 'x:b', mimeType: 'text/plain', text: 'b' } },
  { type: 'resource', resource: { uri: 'x:c', mimeType: 'image/png', blob: samples[0] } },
  { type: 'hologram', depth: 3 },
];

type Change = readonly [name: string | undefined, value: unknown];

/** One block as it should be, with some of its members replaced, added or taken away. */
const block: fc.Arbitrary<unknown> = fc
  .tuple(
    fc.constantFrom(...blocks),
    fc.array(
      fc.tuple(fc.option(fc.constantFrom(...names), { nil: undefined }), fc.option(odd, { nil: undefined })),
      {
        maxLength: 2,
      },
    ),
    fc.nat(),
  )
  .map(([whole, changes, place]) => {
    const copy = structuredClone(whole) as Record<string, unknown>;
    for (const [index, [name, value]] of (changes as readonly Change[]).entries()) {
      const inner = copy['resource'];
      const holder = (place + index) % 2 === 0 && typeof inner === 'object' && inner !== null ? inner : copy;
      const keys = Object.keys(holder);
      const key = name ?? keys[(place + index) % Math.max(1, keys.length)] ?? 'a';
      if (value === undefined) Reflect.deleteProperty(holder, key);
      else
        Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return copy;
  });

const numbers = ['9007199254740993', '1e400', '-1e400', '1e-400'];

/** Content blocks; some are not even objects. */
export const anyContent: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: block },
  { weight: 1, arbitrary: odd },
);

/** The text of a message with a result. A few numbers in it are such as no double holds. */
export function messageWith(result: object, number = 0): string {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result });
  return text.replaceAll(':0.5', `:${numbers[number % numbers.length] ?? 0}`);
}

export const anyResult: fc.Arbitrary<string> = fc
  .tuple(
    fc.record(
      {
        content: fc.array(anyContent, { maxLength: 8 }),
        structuredContent: odd,
        isError: fc.boolean(),
        _meta: odd,
      },
      { requiredKeys: ['content'] },
    ),
    fc.nat(),
  )
  .map(([result, number]) => messageWith(result, number));
