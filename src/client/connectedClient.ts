import type { Event } from '../base/event.ts';
import type { GetPromptResult, LogLevel, LogMessage, Prompt, Resource } from '../protocol/model.ts';
import type { KnownEra } from './clientOptions.ts';
import type { CallOptions, McpClient } from './mcpClient.ts';

/** A client with what the tool road does not need: logs, prompts, and what to remember for the next start. */
export interface ConnectedClient extends McpClient {
  /** To be given to the next `connectClient` for the same launch. */
  readonly knownEra: KnownEra;
  /**
   * True when the time is over that the server gave its list of tools, and changes of it would not be heard: the next
   * use should read it again (specification: caching).
   */
  readonly toolsExpired: boolean;
  /** All pages of `resources/list`; entries that cannot be read are left out. */
  listResources(options?: { readonly signal?: AbortSignal }): Promise<readonly Resource[]>;
  /** All pages of `prompts/list`; entries that cannot be read are left out. */
  listPrompts(options?: { readonly signal?: AbortSignal }): Promise<readonly Prompt[]>;
  /** `prompts/get` with its input rounds. */
  getPrompt(
    params: { readonly name: string; readonly arguments?: Readonly<Record<string, string>> },
    options?: CallOptions,
  ): Promise<GetPromptResult>;
  /**
   * Asks the server for log messages from this severity on, or for none. Modern: with each later request.
   * Legacy: `logging/setLevel`, if the server has that.
   */
  setLogLevel(level: LogLevel | undefined): Promise<void>;
  /** Tells a legacy server that the roots changed, if it was told to expect that. */
  notifyRootsChanged(): void;
  readonly onLogMessage: Event<LogMessage>;
  /** Legacy: the page behind a URL elicitation is finished with. The value is its `elicitationId`. */
  readonly onElicitationComplete: Event<string>;
}
