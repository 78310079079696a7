import * as vscode from 'vscode';

/** The turns of this conversation with us, oldest first, as messages for a model. */
export function historyMessages(context: vscode.ChatContext): vscode.LanguageModelChatMessage[] {
  return context.history.flatMap((turn) => {
    if (turn instanceof vscode.ChatRequestTurn) return [vscode.LanguageModelChatMessage.User(turn.prompt)];
    const text = turn.response
      .filter((part) => part instanceof vscode.ChatResponseMarkdownPart)
      .map((part) => part.value.value)
      .join('');
    return text === '' ? [] : [vscode.LanguageModelChatMessage.Assistant(text)];
  });
}
