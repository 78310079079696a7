import { deflateSync, crc32 } from 'node:zlib';
import { scriptServer } from '../helpers/scriptServer.ts';

/** A server whose one tool answers with a result of every sort: words, a picture, a link, JSON to fold. */
const server = scriptServer(
  [
    {
      name: 'report',
      title: 'Weather report',
      description: 'The weather of the coming days, with a chart of the temperature.',
      annotations: { readOnlyHint: true, openWorldHint: true },
      inputSchema: {
        type: 'object',
        properties: {
          city: { type: 'string', title: 'City', description: 'Where.' },
          days: { type: 'integer', title: 'Days', minimum: 1, maximum: 14, default: 3 },
          unit: { title: 'Unit', enum: ['celsius', 'fahrenheit'], default: 'celsius' },
        },
        required: ['city'],
      },
      reply: {
        result: {
          content: [
            {
              type: 'text',
              text: 'Oslo: light rain until Thursday noon, then sun. Wind from the west, 4 m/s.',
            },
            { type: 'image', mimeType: 'image/png', data: chart().toString('base64') },
            {
              type: 'resource_link',
              uri: 'weather://oslo/full.csv',
              name: 'full.csv',
              title: 'All measurements',
              description: 'Hourly values of the last 30 days.',
              mimeType: 'text/csv',
              size: 48_213,
            },
          ],
          structuredContent: {
            city: 'Oslo',
            days: [
              { date: '2026-07-29', high: 17.5, low: 11, rain: true },
              { date: '2026-07-30', high: 18, low: 12.5, rain: true },
              { date: '2026-07-31', high: 22, low: 13, rain: false },
            ],
            source: { station: 'Blindern', measured: '2026-07-29T06:00:00Z' },
          },
        },
      },
    },
  ],
  'weather',
);

/** For the user's settings. */
export const resultScript = { settings: { 'countersign.servers': { weather: server.entry } } } as const;

/** Bars of a temperature over a week, as a PNG. */
function chart(): Buffer {
  const [width, height] = [420, 120];
  const values = [11, 17, 12, 18, 13, 22, 15, 24, 16, 21, 14, 19, 12, 18];
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 3, 0xff);
    row[0] = 0;
    for (let x = 0; x < width; x += 1) {
      const bar = Math.floor(x / 30);
      const isBar = x % 30 > 4 && x % 30 < 26 && height - y < (values[bar] ?? 0) * 4.5;
      row.set(isBar ? (bar % 2 === 0 ? [90, 140, 200] : [235, 140, 60]) : [248, 248, 248], 1 + x * 3);
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
