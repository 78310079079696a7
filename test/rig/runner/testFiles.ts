import { globSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../paths.ts';

/** Absolute paths of the test files below a folder of the repository that pass the filters. */
export function findTestFiles(folder: string, filters: readonly string[]): readonly string[] {
  return globSync(`${folder}/**/*.test.ts`, { cwd: repoRoot })
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort()
    .map((file) => path.resolve(repoRoot, file));
}
