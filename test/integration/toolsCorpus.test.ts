import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { CORPUS } from '../bench/corpus/servers.ts';
import { measureServer, type ServerSummary } from '../bench/corpus/summary.ts';
import { describe, it } from '../helpers/nodeTest.ts';

const file = new URL('../bench/corpus/summary.json', import.meta.url);
const summaries: readonly ServerSummary[] = JSON.parse(readFileSync(file, 'utf8'));

describe('the corpus of published servers', () => {
  it('has a summary of every server', () => {
    assert.deepEqual(
      summaries.map(({ name, version }) => ({ name, version })),
      CORPUS.map(({ name, version }) => ({ name, version })),
    );
  });

  it('has no set-aside without a reason', () => {
    const reasons = summaries.flatMap(({ setAside, unusable }) =>
      [setAside, unusable].flatMap(Object.values),
    );
    assert.deepEqual(
      reasons.filter((reason) => String(reason).trim() === ''),
      [],
    );
  });

  for (const server of CORPUS.filter(({ isInstalled }) => isInstalled === true)) {
    it(`is as before for ${server.name}`, async () => {
      const { summary } = await measureServer(server);
      assert.deepEqual(
        summary,
        summaries.find(({ name }) => name === server.name),
      );
    });
  }
});
