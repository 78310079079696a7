import { a, type FormSchemaRow } from './formSchemaRow.ts';

export const valueRows: readonly FormSchemaRow[] = [
  // Defaults
  { name: 'default: text', schema: a({ type: 'string', default: 'x' }), shown: { a: 'text "x"' } },
  { name: 'default: empty text', schema: a({ type: 'string', default: '' }), shown: { a: 'text ""' } },
  {
    name: 'default: several lines',
    schema: a({ type: 'string', default: 'x\ny' }),
    shown: { a: 'text "x\\ny"' },
  },
  { name: 'default: zero', schema: a({ type: 'integer', default: 0 }), shown: { a: 'number 0' } },
  { name: 'default: negative', schema: a({ type: 'number', default: -1.5 }), shown: { a: 'number -1.5' } },
  { name: 'default: false', schema: a({ type: 'boolean', default: false }), shown: { a: 'boolean false' } },
  { name: 'default: null for a text', schema: a({ type: 'string', default: null }), shown: { a: 'text' } },
  {
    name: 'default: text for yes or no',
    schema: a({ type: 'boolean', default: 'true' }),
    shown: { a: 'boolean' },
  },
  {
    name: 'default: one of an enum',
    schema: a({ type: 'string', enum: ['x', 'y'], default: 'y' }),
    shown: { a: 'choice 1' },
  },
  {
    name: 'default: one of oneOf',
    schema: a({ oneOf: [{ const: 'x', title: 'X' }, { const: 'y' }], default: 'x' }),
    shown: { a: 'choice 0' },
  },
  {
    name: 'default: several of anyOf',
    schema: a({ type: 'array', items: { anyOf: [{ const: 'x' }, { const: 'y' }] }, default: ['y', 'x'] }),
    shown: { a: 'choices [1,0]' },
    valid: [{ a: ['x', 'y'] }],
  },
  {
    name: 'default: a text for a list',
    schema: a({ type: 'array', items: { enum: ['x'] }, default: 'x' }),
    shown: { a: 'choices' },
  },
  {
    name: 'default: too short for its own bounds',
    schema: a({ type: 'string', minLength: 3, default: 'x' }),
    shown: { a: 'text "x"' },
    invalid: [{ a: 'x' }],
    valid: [{}, { a: 'xyz' }],
  },
  {
    name: 'default: beyond its own bounds',
    schema: a({ type: 'integer', maximum: 5, default: 9 }),
    shown: { a: 'number 9' },
    invalid: [{ a: 9 }],
  },
  {
    name: 'default: more than may be chosen',
    schema: a({ type: 'array', maxItems: 1, items: { enum: ['x', 'y'] }, default: ['x', 'y'] }),
    shown: { a: 'choices [0,1]' },
    invalid: [{ a: ['x', 'y'] }],
  },
  {
    name: 'default: an object',
    schema: a({ type: 'object', default: { deep: [1] } }),
    shown: { a: 'json {"deep":[1]}' },
  },
  // Dates
  {
    name: 'date: a default',
    schema: a({ type: 'string', format: 'date', default: '2028-02-29' }),
    shown: { a: 'text "2028-02-29"' },
  },
  {
    name: 'date: a day that never was',
    schema: a({ type: 'string', format: 'date', default: '2027-02-29' }),
    shown: { a: 'text' },
  },
  {
    name: 'date: words',
    schema: a({ type: 'string', format: 'date', default: 'tomorrow' }),
    shown: { a: 'text' },
  },
  {
    name: 'date: a moment',
    schema: a({ type: 'string', format: 'date', default: '2027-02-28T00:00:00Z' }),
    shown: { a: 'text' },
  },
  {
    name: 'date: month thirteen',
    schema: a({ type: 'string', format: 'date', default: '2027-13-01' }),
    shown: { a: 'text' },
  },
  {
    name: 'date-time: an offset',
    schema: a({ type: 'string', format: 'date-time', default: '2027-02-28T23:30:00+14:00' }),
    shown: { a: 'text "2027-02-28T23:30:00+14:00"' },
    valid: [{ a: '2027-02-28T23:30:00-12:00' }, { a: '2027-02-28T23:30:00.123456Z' }],
    invalid: [
      { a: '2027-02-28 23:30' },
      { a: '2027-02-28T25:00:00Z' },
      { a: '2027-02-30T10:00:00Z' },
      { a: '' },
    ],
  },
  {
    name: 'date-time: no offset',
    schema: a({ type: 'string', format: 'date-time', default: '2027-02-28T10:00:00' }),
    shown: { a: 'text' },
  },
  {
    name: 'date-time: a day only',
    schema: a({ type: 'string', format: 'date-time', default: '2027-02-28' }),
    shown: { a: 'text' },
  },
  {
    name: 'date-time: hour 25',
    schema: a({ type: 'string', format: 'date-time', default: '2027-02-28T25:00:00Z' }),
    shown: { a: 'text' },
  },
  {
    name: 'date-time: fractions',
    schema: a({ type: 'string', format: 'date-time', default: '2027-02-28T10:00:00.25Z' }),
    shown: { a: 'text "2027-02-28T10:00:00.25Z"' },
  },
  {
    name: 'time: no control of its own',
    schema: a({ type: 'string', format: 'time' }),
    shown: { a: 'text' },
    valid: [{ a: '10:00:00Z' }],
    invalid: [{ a: 'ten' }],
  },
  // Texts
  {
    name: 'e-mail, optional: left out is fine, empty is not',
    schema: a({ type: 'string', format: 'email' }),
    shown: { a: 'text' },
    valid: [{}, { a: 'kim+tag@sub.example.org' }],
    invalid: [{ a: '' }, { a: 'kim@' }, { a: '@example.org' }, { a: 'a b@example.org' }],
  },
  {
    name: 'uri',
    schema: a({ type: 'string', format: 'uri' }),
    shown: { a: 'text' },
    valid: [{ a: 'https://example.org/a?b=c#d' }, { a: 'urn:isbn:1' }, { a: 'mailto:kim@example.org' }],
    invalid: [{ a: 'example.org' }, { a: '/path' }, { a: 'http://a b' }],
  },
  {
    name: 'pattern: letters of all scripts',
    schema: a({ type: 'string', pattern: '^\\p{L}+$' }),
    shown: { a: 'text' },
    valid: [{ a: 'Zoë' }, { a: 'Владимир' }, { a: '漢字' }],
    invalid: [{ a: 'x1' }, { a: '' }],
  },
  {
    name: 'pattern: not anchored',
    schema: a({ type: 'string', pattern: 'b' }),
    shown: { a: 'text' },
    valid: [{ a: 'abc' }],
    invalid: [{ a: 'acc' }],
  },
  {
    name: 'lengths count letters, not code units',
    schema: a({ type: 'string', minLength: 2, maxLength: 2 }),
    shown: { a: 'text' },
    valid: [{ a: '𝒳𝒴' }],
    invalid: [{ a: '𝒳' }, { a: 'xyz' }],
  },
  { name: 'lengths that are none', schema: a({ type: 'string', minLength: -1 }), shown: 'impossible' },
  { name: 'a pattern that is none', schema: a({ type: 'string', pattern: '(' }), shown: 'impossible' },
  {
    name: 'title and name',
    schema: a({ type: 'string', title: '  \u200b ' }),
    shown: { a: 'text' },
  },
  // Numbers
  {
    name: 'integer: as JSON has them',
    schema: a({ type: 'integer' }),
    shown: { a: 'number' },
    valid: ['{"a":1e3}', '{"a":1.0}', '{"a":-0}', '{"a":9007199254740991}'],
    invalid: ['{"a":1.5}', '{"a":"1"}', '{"a":1e-3}', '{"a":null}'],
  },
  {
    name: 'integer: a default beyond what is exact',
    schema: a({ type: 'integer', default: 1e21 }),
    shown: { a: 'number' },
  },
  {
    name: 'number: bounds that shut each other out',
    schema: a({ type: 'number', minimum: 2, maximum: 1 }),
    shown: { a: 'number' },
    valid: [{}],
    invalid: [{ a: 1 }, { a: 2 }, { a: 1.5 }],
  },
  {
    name: 'number: exclusive bounds and steps',
    schema: a({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.25 }),
    shown: { a: 'number' },
    valid: [{ a: 0.25 }, { a: 0.75 }],
    invalid: [{ a: 0 }, { a: 1 }, { a: 0.3 }],
  },
  {
    name: 'number or integer',
    schema: a({ type: ['number', 'integer'] }),
    shown: { a: 'json' },
    valid: [{ a: 1 }, { a: 1.5 }],
  },
];
