/* Results that are large in one way each, as the JSON text in which a server would send them. */

const megabyte = 1024 * 1024;
/** What all of the message may take, so that it stays under the 16 MiB that are accepted. */
const most = 15.5 * megabyte;

function filled(unit: string, size = most): string {
  return unit.repeat(Math.floor(size / unit.length));
}

/** A list of the same entry, as many as go in. */
function list(entry: string, size = most): string {
  return `[${filled(`${entry},`, size)}${entry}]`;
}

const text = (json: string): string => `{"content":[{"type":"text","text":${json}}]}`;
const structured = (json: string, content = '[]'): string =>
  `{"content":${content},"structuredContent":${json}}`;
const row = '{"id":12345,"name":"some name of a thing","price":12.5,"tags":["a","b"],"ok":true}';
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000000400000004008060000', 'hex'),
  Buffer.alloc(11 * megabyte, 7),
]).toString('base64');

/** By the name of the tool that answers with it; made when it is asked for. */
export const resultShapes: Readonly<Record<string, () => string>> = {
  text_plain: () => text(`"${filled('A line of plain text, as most texts are. ')}"`),
  text_escapes: () => text(`"${filled(String.raw`\"a\"\n`)}"`),
  text_escaped_units: () => text(`"${filled(String.raw`\u00e9\u4e2d`)}"`),
  text_emoji_escapes: () => text(`"${filled(String.raw`\ud83d\ude00`)}"`),
  text_lone_surrogates: () => text(`"${filled(String.raw`\ud83d.`)}"`),
  text_wide_characters: () => text(`"${filled('中文 é ', most / 2.1)}"`),
  text_of_json: () => text(JSON.stringify(list(row, most / 1.4))),
  texts_of_json: () =>
    `{"content":${list(`{"type":"text","text":${JSON.stringify(list(row, 900_000))}}`, 14 * megabyte)}}`,
  text_of_secrets: () =>
    text(`"${filled('password=hunter2hunter2 token: ghp_abcdefghijklmnopqrstuvwxyz0123456789 ')}"`),
  image: () => `{"content":[{"type":"image","mimeType":"image/png","data":"${png}"}]}`,
  image_broken: () => `{"content":[{"type":"image","mimeType":"image/png","data":"${filled('AAAA ')}!"}]}`,
  images_many: () =>
    `{"content":${list(`{"type":"image","mimeType":"image/png","data":"${png.slice(0, 40_000)}"}`)}}`,
  blob_text: () =>
    `{"content":[{"type":"resource","resource":{"uri":"file:///a.txt","mimeType":"text/plain","blob":"${filled('YWJj')}"}}]}`,
  blocks: () => `{"content":${list('{"type":"text","text":"a block of text"}')}}`,
  blocks_100000: () =>
    `{"content":[${Array.from({ length: 100_000 }, (_, i) => `{"type":"text","text":"${i}"}`).join(',')}]}`,
  blocks_unknown: () => `{"content":${list('{"type":"hologram","value":1}')}}`,
  rows: () => structured(list(row)),
  rows_with_text: () => {
    const rows = list(row, most / 2.4);
    return structured(rows, `[{"type":"text","text":${JSON.stringify(rows)}}]`);
  },
  rows_with_indented_text: () => {
    const rows = list(row, most / 4.2);
    const indented = JSON.stringify(JSON.stringify(JSON.parse(rows), undefined, 2));
    return structured(rows, `[{"type":"text","text":${indented}}]`);
  },
  rows_promised: () => structured(list(row, 1.1 * megabyte)),
  rows_of_lists: () => structured(list('[1,"a text",null,true,12.5]')),
  numbers: () => structured(list('1')),
  strings: () => structured(list('"abcdef"')),
  empty_lists: () => structured(list('[]', 2.8 * megabyte)),
  objects: () => structured(list('{"a":1}', 7.5 * megabyte)),
  wide_objects: () =>
    structured(list(`{${Array.from({ length: 2_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`)),
  widest_object: () =>
    structured(`{${Array.from({ length: 49_000 }, (_, i) => `"key_${i}":"${'x'.repeat(250)}"`).join(',')}}`),
  many_keys: () => structured(`[${Array.from({ length: 600_000 }, (_, i) => `{"k${i}":${i}}`).join(',')}]`),
  /** Refused, as a million lists and objects are the most. */
  brackets: () => structured(list('[]')),
  nested: () => structured(list('['.repeat(200) + ']'.repeat(200), 1.9 * megabyte)),
  nested_objects: () => structured(list('{"a":'.repeat(200) + '1' + '}'.repeat(200), 5.7 * megabyte)),
};
