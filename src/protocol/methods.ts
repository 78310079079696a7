/** Methods of requests that we send, and of notifications and requests that we understand. */
export const method = {
  discover: 'server/discover',
  initialize: 'initialize',
  initialized: 'notifications/initialized',
  ping: 'ping',
  listTools: 'tools/list',
  callTool: 'tools/call',
  listResources: 'resources/list',
  readResource: 'resources/read',
  listPrompts: 'prompts/list',
  getPrompt: 'prompts/get',
  listen: 'subscriptions/listen',
  setLogLevel: 'logging/setLevel',
  elicit: 'elicitation/create',
  sample: 'sampling/createMessage',
  listRoots: 'roots/list',
  cancelled: 'notifications/cancelled',
  progress: 'notifications/progress',
  logMessage: 'notifications/message',
  acknowledged: 'notifications/subscriptions/acknowledged',
  toolsChanged: 'notifications/tools/list_changed',
  rootsChanged: 'notifications/roots/list_changed',
  resourceUpdated: 'notifications/resources/updated',
  elicitationComplete: 'notifications/elicitation/complete',
} as const;

const inputRounds: ReadonlySet<string> = new Set([method.callTool, method.readResource, method.getPrompt]);

/** True for the requests that a server may answer with `input_required` (specification: MRTR). */
export function allowsInputRounds(name: string): boolean {
  return inputRounds.has(name);
}
