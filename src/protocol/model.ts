import type { JsonObject, JsonValue } from '../base/json.ts';
import type { LostNumber } from './lostNumbers.ts';

/*
 * The neutral model: what the rest of the program knows of MCP, whatever revision a server speaks.
 * Codecs under `wire/` translate. Members carry the specification's own names.
 */

/** `modern`: stateless, `_meta` on every request (2026-07-28 on). `legacy`: `initialize` handshake (before). */
export type Era = 'modern' | 'legacy';

/** Self-reported name and version of a peer. For display only, never for a decision. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** Claims of the server about a tool. Never verified; shown as claims. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
  /** The definition exactly as it came, unknown members included: what the fingerprint is taken of. */
  readonly definition: JsonObject;
  /** Numbers of the definition that are not as the server wrote them, because a double cannot hold them. */
  readonly lostNumbers?: readonly LostNumber[];
}

/** A list entry that cannot be used as it came, and why. */
export interface RejectedTool {
  /** The name as far as it could be read, else `#` and its place in the list. */
  readonly name: string;
  readonly reason: string;
}

/** A whole tool list, all pages, in the server's order. */
export interface ToolList {
  readonly tools: readonly Tool[];
  readonly rejected: readonly RejectedTool[];
}

export interface ContentAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** 0 (least) to 1 (most important). */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

interface ContentBase {
  readonly annotations?: ContentAnnotations;
  readonly _meta?: JsonObject;
}

export interface TextContent extends ContentBase {
  readonly type: 'text';
  readonly text: string;
}
export interface ImageContent extends ContentBase {
  readonly type: 'image';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}
export interface AudioContent extends ContentBase {
  readonly type: 'audio';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}
export interface ResourceLink extends ContentBase {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
}
export interface EmbeddedResource extends ContentBase {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}
/** A content block of a type that we do not know, or of a known type in a shape that we cannot read. */
export interface UnknownContent extends ContentBase {
  readonly type: 'unknown';
  readonly claimedType: string;
  readonly raw: JsonValue;
}

export type ContentBlock =
  TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource | UnknownContent;

export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  /** Exactly one of `text` and `blob` (base64) is there. */
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: JsonObject;
}

export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  /** Any JSON value since 2026-07-28; an object before. Absent when the server sent none. */
  readonly structuredContent?: JsonValue;
  readonly isError: boolean;
  readonly _meta?: JsonObject;
  /** Numbers that are not as the server wrote them, because a double cannot hold them. */
  readonly lostNumbers?: readonly LostNumber[];
}

export interface ReadResourceResult {
  readonly contents: readonly ResourceContents[];
  /** Contents beside the others that could not be read, as they came. */
  readonly unread?: readonly JsonValue[];
  readonly _meta?: JsonObject;
  /** As of a tool's result. */
  readonly lostNumbers?: readonly LostNumber[];
}

/** A resource as a server lists it. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
}

/** A prompt as a server lists it. */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required: boolean;
  }[];
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

export interface GetPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: JsonObject;
}

/** Severities of RFC 5424, least severe first. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** A log message of a server (specification: logging). The text is data, as all server text. */
export interface LogMessage {
  readonly level: LogLevel;
  readonly logger?: string;
  readonly data: JsonValue;
}

/** What a server asks for in the middle of a request (2026-07-28: input requests; before: server requests). */
export type InputRequest =
  | {
      readonly kind: 'elicitationForm';
      readonly message: string;
      readonly requestedSchema: JsonObject;
      readonly _meta?: JsonObject;
    }
  | {
      readonly kind: 'elicitationUrl';
      readonly message: string;
      readonly url: string;
      /** Legacy only: ties `notifications/elicitation/complete` to this request. */
      readonly elicitationId?: string;
      readonly _meta?: JsonObject;
    }
  | { readonly kind: 'sampling'; readonly params: JsonObject }
  | { readonly kind: 'roots' };

export type ElicitationResponse =
  | { readonly kind: 'elicitation'; readonly action: 'accept'; readonly content?: JsonObject }
  | { readonly kind: 'elicitation'; readonly action: 'decline' | 'cancel' };

export type InputResponse =
  | ElicitationResponse
  /** `result` is a CreateMessageResult. */
  | { readonly kind: 'sampling'; readonly result: JsonObject }
  | { readonly kind: 'roots'; readonly roots: readonly { readonly uri: string; readonly name?: string }[] }
  /** We cannot or may not answer: the request that asked ends with this error. */
  | { readonly kind: 'refused'; readonly code: number; readonly message: string };

/** What we tell servers that we can do. A member is present only while it can be honoured. */
export interface ClientCapabilities {
  readonly elicitation?: { readonly form?: JsonObject; readonly url?: JsonObject };
  readonly sampling?: { readonly tools?: JsonObject; readonly context?: JsonObject };
  readonly roots?: { readonly listChanged?: boolean };
  readonly extensions?: JsonObject;
}

export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean };
  readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean };
  readonly prompts?: { readonly listChanged?: boolean };
  readonly logging?: JsonObject;
  readonly completions?: JsonObject;
  readonly extensions?: JsonObject;
  /** Tools may be called as tasks (specification 2025-11-25: tasks; gone in 2026-07-28). */
  readonly toolTasks?: boolean;
}

export interface Progress {
  /** Only ever grows within one request. */
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}
