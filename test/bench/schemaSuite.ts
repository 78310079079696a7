import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import AjvDraft04 from 'ajv-draft-04';
import formats from 'ajv-formats';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import { SchemaChecker } from '../../src/tools/schemaChecker.ts';

/*
 * `node test/bench/schemaSuite.ts <folder>`: runs a copy of the JSON-Schema-Test-Suite (its folder `tests`) and
 * compares three verdicts: the suite's, the validator's own, and ours. No npm package carries the suite's newer
 * dialects, so it is not part of the tests.
 */

const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder "tests" of a copy of the JSON-Schema-Test-Suite.');

const dialects = [
  {
    name: 'draft2020-12',
    uri: 'https://json-schema.org/draft/2020-12/schema',
    create: () => new Ajv2020(options),
  },
  {
    name: 'draft2019-09',
    uri: 'https://json-schema.org/draft/2019-09/schema',
    create: () => new Ajv2019(options),
  },
  { name: 'draft7', uri: 'http://json-schema.org/draft-07/schema#', create: () => new Ajv(options) },
  {
    name: 'draft4',
    uri: 'http://json-schema.org/draft-04/schema#',
    create: () => new AjvDraft04.default(options),
  },
];
const options = { strict: false, logger: false } as const;

const checker = new SchemaChecker({ workerUrl: new URL('../../src/tools/schemaWorker.ts', import.meta.url) });
for (const { name, uri, create } of dialects) {
  const count = { cases: 0, same: 0, wereRight: 0, validatorWasRight: 0, neitherWasRight: 0, bothWrong: 0 };
  for (const file of readdirSync(path.join(folder, name), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.json')) continue;
    const groups: unknown = JSON.parse(readFileSync(path.join(folder, name, file), 'utf8'));
    for (const group of Array.isArray(groups) ? groups : []) {
      if (!isJsonObject(group) || !isJsonObject(group['schema'])) continue;
      const schema: JsonObject = { $schema: uri, ...group['schema'] };
      const validator = create();
      formats.default(validator);
      const reference = attempt(() => validator.compile(schema));
      for (const test of Array.isArray(group['tests']) ? group['tests'] : []) {
        if (!isJsonObject(test)) continue;
        const { data, valid } = test;
        const theirs = typeof reference === 'string' ? reference : attempt(() => reference(data));
        const verdict = await checker.check(schema, data);
        const ours = verdict.kind === 'refused' ? 'refused' : verdict.kind === 'valid';
        count.cases += 1;
        if (ours === theirs) {
          count.same += 1;
          if (ours !== valid) count.bothWrong += 1;
          continue;
        }
        if (ours === valid) count.wereRight += 1;
        else if (theirs === valid) count.validatorWasRight += 1;
        else count.neitherWasRight += 1;
        const title = `${JSON.stringify(group['description'])} ${JSON.stringify(test['description'])}`;
        console.log(
          `${name} ${file}: ${title}: suite ${JSON.stringify(valid)}, validator ${String(theirs)}, ours ${String(ours)}`,
        );
      }
    }
  }
  console.log(name, count);
}
checker.dispose();

function attempt<T>(run: () => T): T | 'refused' {
  try {
    return run();
  } catch {
    return 'refused';
  }
}
