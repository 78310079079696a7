import type { KeptResult } from '../../../src/calls/resultShelf.ts';
import type { CallToolResult, Tool } from '../../../src/protocol/model.ts';
import { resultProblems } from '../../../src/calls/resultProblems.ts';
import { checkResult } from '../../../src/tools/checkResult.ts';
import { cutLead } from '../../../src/tools/resultView.ts';
import { SchemaChecker } from '../../../src/tools/schemaChecker.ts';
import { wholePng, wholeWav } from '../../helpers/media.ts';
import type { Desk } from './bench.ts';
import { createIssue } from './samples.ts';

const checker = new SchemaChecker();

/** A kept result, checked as the road does it. */
export async function kept(
  result: Partial<CallToolResult>,
  tool: Pick<Tool, 'outputSchema'> = {},
  about: Partial<KeptResult> = {},
): Promise<KeptResult> {
  const raw: CallToolResult = { content: [], isError: false, ...result };
  return {
    id: 'c1',
    subject: 'result',
    serverId: 'github',
    launchFingerprint: 'sha256:2',
    title: 'report',
    checked: await checkResult(tool, raw, checker),
    leads: [],
    raw,
    ...about,
  };
}

/** Shows a result in the card of a call that has ended, or in the tab. */
export async function show(desk: Desk, result: KeptResult): Promise<void> {
  desk.shelf.keep(result);
  if (desk.isTab) return desk.showTab();
  desk.board.started({
    callId: result.id,
    serverId: result.serverId,
    toolName: result.title,
    caller: createIssue.caller,
    arguments: { month: 'May' },
    cancel() {},
  });
  const { isError } = result.checked;
  desk.board.finished(result.id, {
    outcome: isError ? 'toolError' : resultProblems(result.checked).length > 0 ? 'doubtful' : 'ok',
    summary: 'short',
    hasResult: true,
  });
  await desk.page.locator('.row-button').click();
}

const orders = {
  status: 'ok',
  count: '3',
  orders: [
    { id: 1, total: 12.5, paid: true, note: null },
    { id: 2, total: 99, paid: false, note: 'Deliver\nto the back door' },
    { id: 3, total: 7, paid: true, note: 'x'.repeat(400) },
  ],
  empty: {},
  none: [],
};

/** A result with everything that can be in one. */
export const everything = (): Promise<KeptResult> =>
  kept(
    {
      content: [
        {
          type: 'text',
          text: 'Three orders in May.\nTotal: 118.50 \u202Eevil',
          annotations: { audience: ['user'], priority: 0.9, lastModified: '2026-05-31T12:00:00Z' },
        },
        { type: 'text', text: JSON.stringify(orders) },
        { type: 'image', data: wholePng(900, 300).toString('base64'), mimeType: 'image/png' },
        { type: 'image', data: wholePng(24, 16).toString('base64'), mimeType: 'image/png' },
        { type: 'audio', data: wholeWav(0.4).toString('base64'), mimeType: 'audio/wav' },
        {
          type: 'resource_link',
          uri: 'report://may/\u200Bdetails.csv',
          name: 'details.csv',
          title: 'Details for May',
          description: 'One line for each order.',
          mimeType: 'text/csv',
          size: 48_120,
        },
        { type: 'resource_link', uri: 'ftp://elsewhere/x', name: 'x' },
        {
          type: 'resource',
          resource: { uri: 'report://may/readme.md', mimeType: 'text/markdown', text: '# May\n\n*3* orders' },
        },
        {
          type: 'resource',
          resource: {
            uri: 'report://may/all.pdf',
            mimeType: 'application/pdf',
            blob: Buffer.from('%PDF-1.7\n').toString('base64'),
          },
        },
        {
          type: 'image',
          data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64'),
          mimeType: 'image/svg+xml',
        },
        { type: 'image', data: Buffer.from('no picture').toString('base64'), mimeType: 'image/png' },
        { type: 'unknown', claimedType: 'hologram', raw: { type: 'hologram', depth: 3 } },
      ],
      structuredContent: orders,
    },
    {
      outputSchema: {
        type: 'object',
        properties: { count: { type: 'integer' }, orders: { type: 'array' } },
        required: ['count', 'currency'],
      },
    },
    { leads: [cutLead({ id: 'r', shown: 65_000, total: 210_000 })] },
  );
