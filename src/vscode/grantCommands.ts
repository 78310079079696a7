import * as vscode from 'vscode';
import type { AuditPort } from '../audit/auditLog.ts';
import { errorMessage } from '../base/errors.ts';
import type { Grant } from '../policy/grant.ts';
import type { GrantStore } from '../policy/grantStore.ts';
import { grantPreview } from '../prompts/grantPreview.ts';
import { grantDetails } from './grantItems.ts';
import type { GrantNode, GrantsTree } from './grantsTree.ts';
import { confirm, showError } from './notices.ts';
import { oneLine } from './treeText.ts';
import type { VirtualDocuments } from './virtualDocuments.ts';
import { pick } from './pick.ts';

export interface GrantCommandsOptions {
  readonly grants: GrantStore;
  readonly tree: GrantsTree;
  readonly audit: AuditPort;
  readonly documents: VirtualDocuments;
}

/** The commands of the view "Grants". From the palette, without a row, they ask which grants are meant. */
export function registerGrantCommands({
  grants,
  tree,
  audit,
  documents,
}: GrantCommandsOptions): vscode.Disposable {
  const withdraw = async (goes: (grant: Grant) => boolean, run: () => Promise<void>): Promise<void> => {
    const gone = grants.records().flatMap(({ grant }) => (goes(grant) ? [grant] : []));
    try {
      await run();
    } catch (error) {
      // They are void in this window whatever happens to the file.
      void showError(
        `Withdrawn for this window only, because the list of grants could not be stored: ${errorMessage(error)}`,
      );
    }
    for (const { id, serverId, toolName } of gone) {
      audit.record({ kind: 'grantRevoked', grantId: id, serverId, tool: toolName, by: 'person' });
    }
  };
  const withdrawServer = (serverId: string): Promise<void> =>
    withdraw(
      (grant) => grant.serverId === serverId,
      () => grants.revokeServer(serverId),
    );
  const commands: Readonly<Record<string, (node?: GrantNode) => Promise<void>>> = {
    async revokeGrant(node) {
      const id = node?.kind === 'grant' ? node.record.grant.id : await pickGrant(tree);
      if (id === undefined) return;
      await withdraw(
        (grant) => grant.id === id,
        () => grants.revoke(id),
      );
    },
    async revokeServerGrants(node) {
      const serverId =
        node === undefined
          ? await pickServer(tree)
          : node.kind === 'server'
            ? node.serverId
            : node.record.grant.serverId;
      if (serverId !== undefined) await withdrawServer(serverId);
    },
    async revokeAllGrants() {
      const count = grants.records().length;
      const confirmed = await confirm(
        count === 1 ? 'Revoke the only grant?' : `Revoke all ${count} grants?`,
        'Calls that they allowed are asked again, in all windows. This cannot be undone.',
        'Revoke All',
      );
      if (!confirmed) return;
      await withdraw(
        () => true,
        () => grants.revokeAll(),
      );
    },
    async exportGrants() {
      await grants.refresh();
      await documents.show('grants.json', `${JSON.stringify(grants.export(), undefined, 2)}\n`);
    },
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`countersign.${name}`, run),
    ),
  );
}

async function pickGrant(tree: GrantsTree): Promise<string | undefined> {
  const items = tree.lines().map(({ record, standing }) => ({
    label: oneLine(grantPreview(record.grant, record.grant.scope.kind)),
    description: oneLine(record.grant.serverId),
    detail: oneLine(grantDetails(record, standing).split('\n').slice(1).join(' · ')),
    id: record.grant.id,
  }));
  return (await pick(items, pickOptions('Revoke Grant', items.length)))?.id;
}

async function pickServer(tree: GrantsTree): Promise<string | undefined> {
  const ids = new Set(tree.lines().map(({ record }) => record.grant.serverId));
  const items = Array.from(ids, (id) => ({ label: oneLine(id), id }));
  return (await pick(items, pickOptions('Revoke All Grants of a Server', items.length)))?.id;
}

function pickOptions(title: string, count: number): vscode.QuickPickOptions {
  const placeHolder = count === 0 ? 'There are no grants' : 'Which one?';
  return { title, placeHolder, matchOnDescription: true, matchOnDetail: true };
}
