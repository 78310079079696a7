import * as vscode from 'vscode';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { visibleText } from '../shared/visibleText.ts';
import type { CatalogueEntry } from '../tools/catalogueEntry.ts';
import { oneLine, tokenText } from './treeText.ts';

const longestTooltip = 4000;

/** The row of a tool: what it is called, whether a model is told of it, what it costs, what is wrong with it. */
export function toolItem(entry: CatalogueEntry): vscode.TreeItem {
  const { tool, state } = entry;
  const item = new vscode.TreeItem(oneLine(entry.toolName), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `tool/${entry.key}`;
  const title = tool?.title ?? tool?.annotations?.title;
  if (state.kind === 'setAside') {
    item.contextValue = 'setAsideTool';
    item.description = `set aside: ${oneLine(state.reason)}`;
    item.tooltip = `${visibleText(entry.toolName)} cannot be used. ${visibleText(state.reason)}`;
    item.iconPath = new vscode.ThemeIcon('warning');
    item.accessibilityInformation = { label: `Tool ${oneLine(entry.toolName)}, set aside` };
    return item;
  }
  item.contextValue = 'tool';
  item.description = [
    ...(title === undefined || title === entry.toolName ? [] : [oneLine(title)]),
    entry.tokens === 0 ? 'not for models' : tokenText(entry.tokens),
    ...(entry.flags.length === 0 ? [] : ['⚠']),
  ].join(' · ');
  // Plain text on purpose: a description is server text and must not become markup.
  item.tooltip = visibleText(
    [title, tool?.description].filter((part) => part !== undefined).join('\n\n') || entry.toolName,
  ).slice(0, longestTooltip);
  item.iconPath = new vscode.ThemeIcon('tools');
  item.checkboxState = {
    state: entry.enabled ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked,
    tooltip: entry.enabled
      ? 'Language models are told of this tool'
      : 'Language models do not know of this tool',
  };
  const exposed = entry.enabled ? 'exposed to the model' : 'not exposed to the model';
  const warned = entry.flags.length === 0 ? '' : ', with warnings';
  item.accessibilityInformation = { label: `Tool ${oneLine(entry.toolName)}, ${exposed}${warned}` };
  return item;
}

/** Under a tool: its arguments, then what is odd about it and what was repaired for models. */
export function toolDetailItems(entry: CatalogueEntry): vscode.TreeItem[] {
  const notes = [
    ...entry.flags.map(({ detail }) => note(entry, 'warning', detail)),
    ...repairs(entry).map((text) => note(entry, 'wrench', text)),
  ];
  if (entry.modelName !== '' && entry.state.kind === 'usable') {
    notes.push(note(entry, 'symbol-key', `models call it ${entry.modelName}`));
  }
  return [...argumentItems(entry), ...notes];
}

function argumentItems(entry: CatalogueEntry): vscode.TreeItem[] {
  const schema = entry.tool?.inputSchema;
  if (schema === undefined) return [];
  const { properties, required } = schema;
  if (!isJsonObject(properties) || Object.keys(properties).length === 0) {
    return [note(entry, 'symbol-parameter', 'no arguments')];
  }
  return Object.entries(properties).map(([name, property]) => {
    const item = new vscode.TreeItem(oneLine(name));
    item.id = `argument/${entry.key}/${name}`;
    const needed = Array.isArray(required) && required.includes(name);
    item.description = `${describeType(property)}${needed ? ', required' : ''}`;
    const description = isJsonObject(property) ? property['description'] : undefined;
    item.tooltip =
      typeof description === 'string' ? visibleText(description).slice(0, longestTooltip) : oneLine(name);
    item.iconPath = new vscode.ThemeIcon('symbol-parameter');
    return item;
  });
}

function repairs(entry: CatalogueEntry): string[] {
  if (entry.state.kind !== 'usable') return [];
  const schema = entry.modelSchema;
  if (schema.kind === 'unusable') return [`not given to models: ${schema.reason}`];
  return schema.repairs.map(
    ({ path, detail }) => `for models${path === '' ? '' : `, at ${path}`}: ${detail}`,
  );
}

function note(entry: CatalogueEntry, icon: string, text: string): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(text));
  item.id = `note/${entry.key}/${icon}/${text}`;
  item.tooltip = visibleText(text);
  item.iconPath = new vscode.ThemeIcon(icon);
  return item;
}

function describeType(schema: JsonValue | undefined): string {
  if (!isJsonObject(schema)) return 'any value';
  const { type } = schema;
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].length} values`;
  if (typeof type === 'string') return oneLine(type);
  if (Array.isArray(type)) return oneLine(type.join(' or '));
  return 'any value';
}
