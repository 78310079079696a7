import { randomBytes } from 'node:crypto';
import type * as vscode from 'vscode';

const name = 'countersign.auditKey';

/** The key of the record's digests, kept with the user's secrets; a new one where none can be kept. */
export async function auditKey(
  secrets: vscode.SecretStorage,
  log: (problem: string) => void,
): Promise<Uint8Array> {
  try {
    const stored = await secrets.get(name);
    if (stored !== undefined) return Buffer.from(stored, 'base64');
    const key = randomBytes(32);
    await secrets.store(name, key.toString('base64'));
    return key;
  } catch (error) {
    log(
      `The secret store does not work, so digests of secrets differ from window to window: ${String(error)}`,
    );
    return randomBytes(32);
  }
}
