import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';

describe('in the extension host', () => {
  it('Countersign activates and registers every command that it contributes', async () => {
    const extension = vscode.extensions.getExtension('countersign.countersign');
    assert.ok(extension);
    await extension.activate();
    const manifest: { contributes: { commands: { command: string }[] } } = extension.packageJSON;
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = manifest.contributes.commands.filter(({ command }) => !registered.has(command));
    assert.deepEqual(missing, []);
  });

  it('the demo model answers a request', async () => {
    const [model] = await vscode.lm.selectChatModels({ vendor: 'countersign-demo' });
    assert.ok(model);
    const asked = [vscode.LanguageModelChatMessage.User('what can you do?')];
    const response = await model.sendRequest(asked, {}, new vscode.CancellationTokenSource().token);
    let text = '';
    for await (const part of response.text) text += part;
    assert.match(text, /scripted demo model/);
  });
});
