// Servers that show pictures to a language model, by clicks: one that sees them, and one that does not.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { askingServer, modelQuestion } from '../../helpers/askingServer.ts';
import { pixel, png } from '../../helpers/pictures.ts';
import { editorTest } from '../../rig/editorTest.ts';
import { chatCalls, inputCards } from '../../rig/inputs.ts';
import { openContainer, treeRow } from '../../rig/workbench.ts';

const audit = 'Countersign Audit';
const said = (content: JsonObject): JsonObject =>
  modelQuestion('', {
    messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, content] }],
    temperature: 0.5,
    includeContext: 'allServers',
    metadata: { vendorOption: true },
  });
const picture = (data: string): JsonObject => said({ type: 'image', mimeType: 'image/png', data });

editorTest(
  'a server shows a picture to a model: it is seen on the card, by the model that can, and by no other',
  {
    settings: {
      'countersign.rules': [{ server: '*', tool: '*', decision: 'allow' }],
      'countersign.servers': { old: askingServer('legacy'), new: askingServer('modern') },
      'demoModel.withPictures': true,
    },
  },
  async (editor) => {
    const { page } = editor;
    await openContainer(page, 'Countersign');
    for (const name of ['old', 'new'])
      await treeRow(page, name).filter({ hasText: 'running' }).first().waitFor();
    const { frame, shows, press } = inputCards(editor);
    const ask = chatCalls(editor);
    const call = (server: string, question: JsonObject): Promise<() => Promise<string>> =>
      ask(`use ${server}_ask ${JSON.stringify({ rounds: [{ q: question }] })}`);

    for (const server of ['old', 'new']) {
      const ended = await call(server, picture(pixel));
      await shows('What is this?');
      await frame.getByRole('img', { name: 'Picture' }).waitFor();
      await shows('Temperature: 0.5, if the model knows one');
      await shows(
        'Not passed on: context of other calls (allServers); options for one kind of model (vendorOption).',
      );
      // The one that sees is proposed; the other one is refused before anything is sent.
      const models = frame.getByRole('combobox', { name: 'Model' });
      await models.click();
      await frame.getByRole('option', { name: 'Demo Model (does not take pictures)', exact: true }).click();
      await shows('Demo Model does not take pictures: it cannot be asked this.');
      assert.equal(await frame.getByRole('button', { name: 'Ask Model', exact: true }).isDisabled(), true);
      await models.click();
      await frame.getByRole('option', { name: 'Seeing Demo Model', exact: true }).click();
      await press('Ask Model');
      await shows('I see [image/png, 70 bytes]');
      await press('Send to Server');
      assert.match(await ended(), /I see \[image\/png, 70 bytes\].*"model":"demo-seeing"/);
    }

    // A small file that would fill all memory is never decoded, and a sound is not sent as if it were text.
    let ended = await call('new', picture(png(30_000, 30_000).toString('base64')));
    assert.match(await ended(), /30000 × 30000 pixels, too many to be shown/);
    ended = await call('old', said({ type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }));
    assert.match(await ended(), /No language model that takes sounds is available/);
    await page
      .locator('.notification-toast', { hasText: 'none that takes sounds is available' })
      .first()
      .waitFor();
    await editor.logged(audit, /input \(sampling\): refused/);
  },
);
