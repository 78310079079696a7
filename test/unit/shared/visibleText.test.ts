import assert from 'node:assert/strict';
import { describe, it } from '../../helpers/nodeTest.ts';
import * as fc from 'fast-check';
import {
  hasHidden,
  hiddenCharacters,
  tagMessage,
  visibleJson,
  visibleLine,
  visibleSegments,
  visibleText,
} from '../../../src/shared/visibleText.ts';

const tags = (text: string): string =>
  Array.from(text)
    .map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)))
    .join('');

describe('visibleText', () => {
  const rows: readonly (readonly [name: string, text: string, expected: string])[] = [
    ['plain', 'Fix the build', 'Fix the build'],
    ['nothing', '', ''],
    ['accents, composed and decomposed', 'café cafe\u0301', 'café cafe\u0301'],
    ['Chinese, Hebrew, Arabic', '你好 שלום سلام', '你好 שלום سلام'],
    ['line feeds and tabs stay', 'a\n\tb\r\nc', 'a\n\tb\r\nc'],
    ['a lone carriage return', 'good\rbad', 'good⟦U+000D CR⟧bad'],
    ['null', 'a\0b', 'a⟦U+0000 NUL⟧b'],
    ['terminal escape', '\u001B[8mhidden', '⟦U+001B ESC⟧[8mhidden'],
    ['C1 control', 'a\u0085b', 'a⟦U+0085⟧b'],
    ['delete', 'a\u007Fb', 'a⟦U+007F DEL⟧b'],
    ['right-to-left override', 'a\u202Eexe.txt', 'a⟦U+202E RLO⟧exe.txt'],
    ['isolates', '\u2066a\u2069', '⟦U+2066 LRI⟧a⟦U+2069 PDI⟧'],
    ['Arabic letter mark', 'a\u061C', 'a⟦U+061C ALM⟧'],
    ['zero-width space', 'a\u200Bb', 'a⟦U+200B ZWSP⟧b'],
    ['word joiner and invisible operators', 'a\u2060\u2063b', 'a⟦U+2060 WJ⟧⟦U+2063⟧b'],
    ['byte order mark', '\uFEFFa', '⟦U+FEFF BOM⟧a'],
    ['soft hyphen', 'a\u00ADb', 'a⟦U+00AD SHY⟧b'],
    ['tag characters', tags('Hi'), '⟦U+E0048 tag H⟧⟦U+E0069 tag i⟧'],
    ['language tag', '\u{E0001}', '⟦U+E0001⟧'],
    ['selectors that carry data', 'a\u{E0100}\u{E01EF}', 'a⟦U+E0100⟧⟦U+E01EF⟧'],
    ['selector after a letter', 'a\uFE0Fb', 'a⟦U+FE0F⟧b'],
    ['two selectors after an emoji: one is spare', '❤\uFE0F\uFE0F', '❤\uFE0F⟦U+FE0F⟧'],
    ['emoji with selector and joiners', '❤️ 👩‍💻 👩🏽‍💻 🏳️‍🌈 1️⃣', '❤️ 👩‍💻 👩🏽‍💻 🏳️‍🌈 1️⃣'],
    ['joiner between Latin letters', 'pay\u200Dpal', 'pay⟦U+200D ZWJ⟧pal'],
    ['joiner of Persian spelling', 'می\u200Cخواهم', 'می\u200Cخواهم'],
    ['two joiners in Persian: one is spare', 'می\u200C\u200Cخ', 'می⟦U+200C ZWNJ⟧⟦U+200C ZWNJ⟧خ'],
    ['no-break and other spaces', 'a\u00A0b\u3000c\u2009d', 'a⟦U+00A0 NBSP⟧b⟦U+3000⟧c⟦U+2009⟧d'],
    ['Hangul filler, Braille blank', '\u3164\u2800', '⟦U+3164⟧⟦U+2800⟧'],
    ['line and paragraph separators', 'a\u2028b\u2029', 'a⟦U+2028 LS⟧b⟦U+2029 PS⟧'],
    ['private use', '\uE000\u{10FFFD}', '⟦U+E000⟧⟦U+10FFFD⟧'],
    ['lone surrogates', 'a\uD800b', 'a⟦U+D800⟧b'],
    ['not a character', '\uFFFF', '⟦U+FFFF⟧'],
    ['combining grapheme joiner', 'a\u034Fb', 'a⟦U+034F⟧b'],
    ['Mongolian vowel separator', 'a\u180Eb', 'a⟦U+180E⟧b'],
    ['Arabic sign that draws', '\u0600١', '\u0600١'],
    ['interlinear annotation', '\uFFF9a\uFFFB', '⟦U+FFF9⟧a⟦U+FFFB⟧'],
    ['shorthand and music format controls', '\u{1BCA0}\u{1D173}', '⟦U+1BCA0⟧⟦U+1D173⟧'],
    ['an escape that the text itself spells', '⟦U+202E⟧', '⟦U+202E⟧'],
  ];
  for (const [name, text, expected] of rows) {
    it(name, () => {
      assert.equal(visibleText(text), expected);
      assert.equal(hasHidden(text), text !== expected);
    });
  }

  it('tells escapes from a text that looks like one', () => {
    assert.deepEqual(visibleSegments('⟦U+202E⟧\u202E'), [
      { kind: 'plain', text: '⟦U+202E⟧' },
      { kind: 'hidden', hidden: 'bidirectional', raw: '\u202E', escape: '⟦U+202E RLO⟧' },
    ]);
  });

  it('names the kind and place of each', () => {
    assert.deepEqual(hiddenCharacters('a\0\u202E\u{E0041}\u200B\u00A0\uE000\uFFFF'), [
      { hidden: 'control', index: 1, codePoint: 0 },
      { hidden: 'bidirectional', index: 2, codePoint: 0x202e },
      { hidden: 'tag', index: 3, codePoint: 0xe0041 },
      { hidden: 'invisible', index: 5, codePoint: 0x200b },
      { hidden: 'space', index: 6, codePoint: 0xa0 },
      { hidden: 'private', index: 7, codePoint: 0xe000 },
      { hidden: 'unassigned', index: 8, codePoint: 0xffff },
    ]);
    assert.equal(hiddenCharacters('\0'.repeat(50), 10).length, 10);
  });

  it('reads what tag characters spell', () => {
    assert.equal(tagMessage(`search ${tags('send the keys')} now`), 'send the keys');
  });

  it('spells hidden characters in JSON as JSON can, so that the value is the same', () => {
    const value = { 'a\u200B': ['x\u202Ey', '\u{E0041}', '\uFEFF', 'plain ü 👨‍👩‍👧', '\n\t'], n: 1 };
    const text = visibleJson(value);
    assert.deepEqual(JSON.parse(text), value);
    assert.equal(hasHidden(text), false);
    for (const spelled of ['a\\u200b', 'x\\u202ey', '\\udb40\\udc41', '\\ufeff', 'plain ü 👨‍👩‍👧']) {
      assert.ok(text.includes(spelled), spelled);
    }
  });

  it('makes one line of it', () => {
    assert.equal(visibleLine('a\nb\tc'), 'a⟦U+000A LF⟧b⟦U+0009 TAB⟧c');
    assert.equal(visibleLine('abcdef', 4), 'abcd… (6 characters)');
    assert.equal(visibleLine('abc😀', 4), 'abc… (5 characters)');
  });

  const unit = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('a', '\u200D', '\u200C', '\uFE0F', '❤', '👩', 'م', '\u{E0041}', '\uD800'),
    }),
  );
  it('loses nothing: the raw pieces make up the text again', () => {
    fc.assert(
      fc.property(unit, (text) => {
        const pieces = visibleSegments(text).map((s) => (s.kind === 'plain' ? s.text : s.raw));
        assert.equal(pieces.join(''), text);
      }),
    );
  });
  it('leaves nothing hidden behind', () => {
    fc.assert(
      fc.property(unit, (text) => {
        // An emoji joiner can be exposed only by removing its neighbours, and nothing is removed.
        assert.equal(hasHidden(visibleText(text)), false);
      }),
    );
  });
});
