import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { ContentBlock } from '../../../src/protocol/model.ts';
import { decode } from '../../../src/shared/decode.ts';
import { type ResultPart, resultViewDecoder } from '../../../src/shared/resultView.ts';
import { checkBlock } from '../../../src/tools/checkResult.ts';
import { TimeSlice } from '../../../src/base/timeSlice.ts';
import { isFaithfulJson } from '../../../src/tools/faithfulJson.ts';
import { judgePicture } from '../../../src/tools/pictureBounds.ts';
import { type ViewLimits, cardLimits, resultView, tabLimits } from '../../../src/tools/resultView.ts';
import { fileStem, textEnding } from '../../../src/tools/textEnding.ts';
import { wholePng, wholeWav } from '../../helpers/media.ts';
import { it } from '../../helpers/nodeTest.ts';
import { png } from '../../helpers/pictures.ts';

const small: ViewLimits = {
  text: 10,
  allText: 16,
  media: 200,
  allMedia: 300,
  values: 5,
  parts: 3,
  isSmall: true,
};

async function partsOf(
  content: readonly ContentBlock[],
  limits: ViewLimits = tabLimits,
): Promise<readonly ResultPart[]> {
  const checked = {
    isError: false,
    blocks: content.map((block) => checkBlock(block)),
    structured: { kind: 'absent' },
  } as const;
  const view = await resultView({ subject: 'result', serverId: 's', title: 't' }, checked, [], limits);
  const decoded = decode(resultViewDecoder, JSON.parse(JSON.stringify(view)));
  assert.deepEqual(decoded, { ok: true, value: view }, 'the page takes it, and loses nothing of it');
  return view.parts;
}

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const image = (bytes: Buffer, mimeType = 'image/png'): ContentBlock => ({
  type: 'image',
  data: bytes.toString('base64'),
  mimeType,
});

describe('a result for a page', () => {
  it('spends its room part by part, and says what is left out', async () => {
    const parts = await partsOf([text('0123456789ab'), text('abcdefgh'), text('x')], small);
    assert.deepEqual(parts, [
      { kind: 'text', text: '0123456789', total: 12 },
      { kind: 'text', text: 'abcdef', total: 8 },
      { kind: 'text', text: '', total: 1 },
    ]);
  });

  it('tears no character apart', async () => {
    assert.deepEqual(await partsOf([text(`123456789\u{1F600}`)], small), [
      { kind: 'text', text: '123456789', total: 11 },
    ]);
  });

  it('keeps what no bytes can confirm as a file, and says so', async () => {
    const samples = Buffer.from('000100020003', 'hex');
    const sound = { type: 'audio', data: samples.toString('base64'), mimeType: 'audio/pcm' } as const;
    const resource = { uri: 'x:a', mimeType: 'image/x-new', blob: sound.data };
    const parts = await partsOf([sound, { type: 'resource', resource }]);
    const reason =
      'Unchecked: no first bytes are known by which this type could be told. It is kept, and can be saved.';
    const file = { shown: { kind: 'none', reason }, bytes: 6, extension: 'bin' };
    assert.deepEqual(parts, [
      { kind: 'media', media: 'audio', isUnchecked: true, mimeType: 'audio/pcm', ...file },
      { kind: 'resourceBlob', uri: 'x:a', mimeType: 'image/x-new', ...file },
    ]);
  });

  it('shows pictures and sounds as long as there is room, and never what could not be drawn', async () => {
    const tiny = wholePng(4, 4);
    const shown = async (
      content: readonly ContentBlock[],
      limits?: ViewLimits,
    ): Promise<readonly unknown[]> =>
      (await partsOf(content, limits)).map((part) => ('shown' in part ? part.shown : part.kind));
    const data = { kind: 'data', base64: tiny.toString('base64'), width: 4, height: 4 };
    const large = { kind: 'none', reason: 'It is too large to be shown here.', later: true };
    assert.deepEqual(await shown([image(tiny), image(Buffer.concat([tiny, Buffer.alloc(300)]))], small), [
      data,
      large,
    ]);
    const bomb = png(30_000, 30_000);
    assert.deepEqual(await shown([image(bomb)]), [
      { kind: 'none', reason: 'It has 30000 × 30000 pixels, too many to be shown.' },
    ]);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    assert.deepEqual(await shown([image(Buffer.from(svg), 'image/svg+xml')]), [
      {
        kind: 'source',
        reason: 'An SVG can hold programs, so its source is shown instead of the picture.',
        text: svg,
      },
    ]);
    assert.deepEqual(await shown([image(Buffer.from('II*\0....'), 'image/tiff')]), [
      { kind: 'none', reason: 'Pictures of this type cannot be shown here.' },
    ]);
    const wav = wholeWav(0.1).toString('base64');
    assert.deepEqual(await shown([{ type: 'audio', mimeType: 'audio/x-wav', data: wav }]), [
      { kind: 'data', base64: wav },
    ]);
  });

  it('draws a file only if its bytes are what it says, and names its ending by the bytes', async () => {
    const resource = (mimeType: string, bytes: Buffer): ContentBlock => ({
      type: 'resource',
      resource: { uri: 'a://b', mimeType, blob: bytes.toString('base64') },
    });
    const parts = await partsOf([
      resource('image/png', wholePng(2, 2)),
      resource('application/octet-stream', Buffer.from('%PDF-1.7')),
      resource('application/x-what', Buffer.from('MZ..')),
      resource('text/html', Buffer.from('<p>')),
      resource('text/plain', Buffer.from([0xff, 0xfe, 0x00])),
    ]);
    const facts = parts.map((part) =>
      part.kind === 'resourceBlob' ? [part.media, part.shown.kind, part.extension] : part.kind,
    );
    assert.deepEqual(facts, [
      ['image', 'data', 'png'],
      [undefined, 'none', 'pdf'],
      [undefined, 'none', 'bin'],
      [undefined, 'source', 'bin'],
      [undefined, 'none', 'bin'],
    ]);
  });

  it('bounds the number of parts, and every name, address and type of a server', async () => {
    const long = 'n'.repeat(2_000_000);
    const parts = await partsOf([
      { type: 'resource_link', uri: long, name: long, title: long, description: long, mimeType: long },
      { type: 'resource', resource: { uri: long, mimeType: long, text: '' } },
      { type: 'unknown', claimedType: long, raw: long },
      text('4'),
    ]);
    assert.ok(JSON.stringify(parts).length < 2_200_000);
    const checked = {
      isError: false,
      blocks: Array.from({ length: 4 }, () => checkBlock(text('a'))),
      structured: { kind: 'absent' },
    } as const;
    const view = await resultView({ subject: 'result', serverId: 's', title: 't' }, checked, [], small);
    assert.equal(view.parts.length, 3);
    assert.deepEqual(view.leads, [
      { severity: 'info', message: 'Only the first 3 of 4 parts are shown here.', details: [] },
    ]);
  });

  it('makes a tree of what fits in one, and text of the rest', async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    const value = async (raw: unknown, limits: ViewLimits): Promise<unknown> => {
      const checked = {
        isError: false,
        blocks: [],
        structured: { kind: 'unpromised', value: raw as never },
      } as const;
      const view = await resultView({ subject: 'result', serverId: 's', title: 't' }, checked, [], limits);
      const [part] = view.parts;
      return part?.kind === 'structured' && (part.value.kind === 'tree' ? 'tree' : part.value.reason);
    };
    assert.equal(await value({ a: [1, 2] }, cardLimits), 'tree');
    assert.equal(await value([1, 2, 3, 4, 5, 6], small), 'It is too large for a tree here.');
    assert.equal(await value(deep, tabLimits), 'It is nested too deeply for a tree.');
    assert.equal(await value(null, cardLimits), 'tree');
  });
});

describe('JSON that loses nothing', () => {
  const rows: readonly (readonly [text: string, faithful: boolean])[] = [
    ['{"a":1}', true],
    [' [ 1 , "a b" , { "k" : null } ] \n', true],
    ['{"a":"\\u00e9"}', false],
    ['{"a":1,"a":2}', false],
    ['{"2":0,"1":0}', false],
    ['[1e400]', false],
    ['[12345678901234567890]', false],
    ['[1.0]', false],
    ['{"__proto__":{"x":1}}', true],
    ['"text"', false],
    ['12', false],
    ['{"a"', false],
    [`["${'\\"'.repeat(200_000)}"]`, true],
    [`${'['.repeat(400_000)}${']'.repeat(400_000)}`, false],
  ];
  for (const [value, faithful] of rows) {
    it(`${value.slice(0, 40)}: ${faithful}`, async () => {
      assert.equal(await isFaithfulJson(value, new TimeSlice()), faithful);
    });
  }
});

describe('the size of a picture, before it is decoded', () => {
  const gif = Buffer.from('GIF89a\x10\x00\x08\x00', 'latin1');
  const bmp = Buffer.alloc(30);
  bmp.write('BM');
  bmp.writeInt32LE(7, 18);
  bmp.writeInt32LE(-9, 22);
  const avif = Buffer.alloc(80);
  avif.write('ftypavif', 4, 'latin1');
  avif.write('ispe', 40, 'latin1');
  avif.writeUInt32BE(20_000, 48);
  avif.writeUInt32BE(20_000, 52);
  const rows: readonly (readonly [string, Buffer, unknown])[] = [
    ['image/gif', gif, { kind: 'drawable', width: 16, height: 8 }],
    ['image/bmp', bmp, { kind: 'drawable', width: 7, height: 9 }],
    ['image/avif', avif, { kind: 'refused', reason: 'It has 20000 × 20000 pixels, too many to be shown.' }],
    [
      'image/png',
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      { kind: 'refused', reason: 'Its size in pixels cannot be read.' },
    ],
    ['image/png', png(0, 5), { kind: 'refused', reason: 'It has no pixels.' }],
    [
      'image/heic',
      Buffer.alloc(9),
      { kind: 'refused', reason: 'Pictures of this type cannot be shown here.' },
    ],
  ];
  for (const [type, bytes, verdict] of rows) {
    it(`${type}, ${bytes.length} bytes`, () => assert.deepEqual(judgePicture(type, bytes), verdict));
  }
});

describe('names for documents', () => {
  const endings: readonly (readonly [string | undefined, string | undefined, string])[] = [
    ['application/json', undefined, 'json'],
    ['Application/GeoJSON+json; charset=utf-8', 'x://a.txt', 'json'],
    ['text/plain', 'file:///a/b/main.PY?x=1', 'py'],
    ['text/x-unknown', 'file:///a/run.exe', 'txt'],
    [undefined, 'x://a/%2e%2e/b.md#part', 'md'],
    [undefined, undefined, 'txt'],
    ['__proto__', 'x://', 'txt'],
  ];
  for (const [type, uri, ending] of endings) {
    it(`${type} at ${uri}: ${ending}`, () => assert.equal(textEnding(type, uri), ending));
  }
  const stems: readonly (readonly [string, string])[] = [
    ['file:///a/report 1.pdf', 'report-1'],
    ['x://a/..%2f..%2fetc%2fpasswd', 'etc-passwd'],
    ['x://a/\u202Efdp.exe', 'fdp'],
    ['x://a/', 'resource'],
    ['%E0%A4%A', 'E0-A4-A'],
  ];
  for (const [uri, stem] of stems) it(`${uri}: ${stem}`, () => assert.equal(fileStem(uri), stem));
});
