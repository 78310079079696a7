import * as vscode from 'vscode';
import type { ModelPart } from '../tools/resultForModel.ts';

type DataPartConstructor = new (data: Uint8Array, mimeType: string) => object;

/** Parts of a tool result for `LanguageModelToolResultPart`. */
export function toLanguageModelParts(parts: readonly ModelPart[]): object[] {
  const dataPart = dataPartConstructor();
  return parts.map((part) => {
    if (part.kind === 'text') return new vscode.LanguageModelTextPart(part.text);
    if (dataPart !== undefined) return new dataPart(part.data, part.mimeType);
    return new vscode.LanguageModelTextPart(
      `[${part.mimeType}, ${part.data.length} bytes: this editor cannot pass it to a model; the person can see it.]`,
    );
  });
}

/** Whether this editor can pass pictures to a model. */
export function canPassData(): boolean {
  return dataPartConstructor() !== undefined;
}

/** `LanguageModelDataPart` is newer than the oldest editor that we run in. */
function dataPartConstructor(): DataPartConstructor | undefined {
  const found: unknown = Reflect.get(vscode, 'LanguageModelDataPart');
  return typeof found === 'function' ? (found as DataPartConstructor) : undefined;
}
