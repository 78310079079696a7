import { randomBytes } from 'node:crypto';
import type * as vscode from 'vscode';

const name = 'countersign.auditKey';

export interface AuditKey {
  readonly key: Uint8Array;
  /** False: the key ends with this window, so its seals must not be made: they would look forged later. */
  readonly kept: boolean;
}

/** The key of the record's digests, kept with the user's secrets; a new one where none can be kept. */
export async function auditKey(
  secrets: vscode.SecretStorage,
  log: (problem: string) => void,
): Promise<AuditKey> {
  try {
    const stored = decoded(await secrets.get(name));
    if (stored !== undefined) return { key: stored, kept: true };
    await secrets.store(name, randomBytes(32).toString('base64'));
    // Another window may have stored its own meanwhile; the one that is there now is the key of both.
    const key = decoded(await secrets.get(name));
    if (key !== undefined) return { key, kept: true };
    log(
      'The secret store does not keep what it is given, so digests of secrets differ from window to window.',
    );
  } catch (error) {
    log(
      `The secret store does not work, so digests of secrets differ from window to window: ${String(error)}`,
    );
  }
  return { key: randomBytes(32), kept: false };
}

function decoded(stored: string | undefined): Uint8Array | undefined {
  const key = stored === undefined ? undefined : Buffer.from(stored, 'base64');
  return key?.length === 32 ? key : undefined;
}
