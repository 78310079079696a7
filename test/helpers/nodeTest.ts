import * as nodeTest from 'node:test';

type Register = (name: string, run: () => void | Promise<void>) => void;

/*
 * The runner waits for its own promises; nobody else needs to. Said once here, so that the lint rule against
 * forgotten promises stays as strict in tests as elsewhere.
 */
export const describe: Register = (name, run) => void nodeTest.describe(name, run);
export const it: Register = (name, run) => void nodeTest.it(name, run);
