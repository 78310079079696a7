// Runs @vscode/test-electron with the options given as JSON in the only argument; exits as the editor did.
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import path from 'node:path';

const { editor, options } = JSON.parse(process.argv[2] ?? '{}');
try {
  process.exitCode = await runTests({
    ...options,
    ...(editor === 'shim' && { vscodeExecutablePath: path.join(import.meta.dirname, 'code-shim') }),
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = (error instanceof TestRunFailedError && error.code) || 1;
}
