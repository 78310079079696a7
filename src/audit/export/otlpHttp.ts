import { request } from 'undici';
import type { OtlpPost } from './otlpExporter.ts';

const maximumAnswer = 64 * 1024;

/** Sends to a collector over HTTP. Redirects are not followed: the headers are meant for one place only. */
export const postOtlp: OtlpPost = async ({ url, headers, body, signal }) => {
  const response = await request(url, { method: 'POST', headers: { ...headers }, body, signal });
  const retryAfter = response.headers['retry-after'];
  return {
    status: response.statusCode,
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
    body: await beginning(response.body),
  };
};

async function beginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maximumAnswer) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, maximumAnswer);
}
