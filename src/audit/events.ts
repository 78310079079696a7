import type { JsonObject, JsonValue } from '../base/json.ts';
import type { CallToolResult, Era, Implementation } from '../protocol/model.ts';
import type { Caller } from '../shared/caller.ts';

/*
 * Everything that the journal can say. One event is one record. Members that hold arguments, results or raw
 * messages are "payload": they are stored by the storage setting. Every other text goes through the same
 * redaction, because names, reasons and error messages come from servers too.
 */

/** Which call an event belongs to, repeated in every event of the call so that each record reads alone. */
export interface CallSubject {
  /** Ours; unique across sessions. */
  readonly callId: string;
  readonly caller: Caller;
  readonly serverId: string;
  /** The server's own name of the tool, never the model-facing one. */
  readonly tool: string;
}

/** Who or what decided. */
export type DecidedBy =
  | { readonly kind: 'rule'; readonly rule: string; readonly source: 'user' | 'workspace' | 'managed' }
  | { readonly kind: 'grant'; readonly grantId: string; readonly scope: string }
  | { readonly kind: 'person'; readonly promptId: string }
  | { readonly kind: 'limit'; readonly limit: string }
  /** A grant is there but its pins no longer match. */
  | { readonly kind: 'suspendedGrant'; readonly grantId: string }
  /** No rule and no grant applies. */
  | { readonly kind: 'default' }
  /** Nobody could answer: that is a no (DESIGN section 2, invariant 2). */
  | {
      readonly kind: 'noAnswer';
      readonly cause:
        'viewUnavailable' | 'windowReloaded' | 'promptExpired' | 'promptWithdrawn' | 'restrictedMode';
    };

export interface Decision {
  readonly outcome: 'allow' | 'ask' | 'deny';
  readonly by: DecidedBy;
  /** In words: the rule's or the person's own reason, or the numbers of a limit. */
  readonly reason?: string;
}

/** Life of the session (one editor window) and of its servers. */
type LifeEvent =
  | {
      readonly kind: 'sessionOpened';
      /** Of this extension. */
      readonly version: string;
      readonly host?: string;
      readonly workspace?: string;
    }
  | { readonly kind: 'sessionClosed'; readonly reason: string }
  | {
      readonly kind: 'serverStarted';
      readonly serverId: string;
      readonly transport: 'stdio' | 'http';
      readonly era: Era;
      readonly protocolVersion: string;
      readonly launchFingerprint: string;
      readonly serverInfo?: Implementation;
      /** HTTP only: host name and port, for the collector; never path, query or credentials. */
      readonly address?: { readonly host: string; readonly port: number };
      readonly durationMs: number;
    }
  | { readonly kind: 'serverStopped'; readonly serverId: string; readonly reason: string }
  | {
      readonly kind: 'serverFailed';
      readonly serverId: string;
      readonly code: string;
      readonly message: string;
    }
  /** A person was asked whether a server may start at all. */
  | {
      readonly kind: 'serverTrust';
      readonly serverId: string;
      readonly outcome: 'trusted' | 'refused' | 'unanswered';
      readonly launchFingerprint: string;
      readonly by: DecidedBy;
    }
  | {
      readonly kind: 'toolsChanged';
      readonly serverId: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly changed: readonly string[];
      readonly rejected: number;
      readonly total: number;
    };

/** The way of one call along the road. */
type CallEvent =
  /** Ended before policy: no such tool, or arguments that its schema refuses. */
  | (CallSubject & {
      readonly kind: 'callRefused';
      readonly stage: 'catalogue' | 'schema';
      readonly message: string;
      readonly arguments?: JsonValue;
    })
  | (CallSubject & {
      readonly kind: 'promptShown';
      readonly promptId: string;
      readonly purpose: 'approval' | 'input' | 'review';
      /** Of what was shown. */
      readonly digest: string;
      readonly definitionChanged?: boolean;
      readonly reason?: string;
    })
  | (CallSubject & {
      readonly kind: 'decision';
      readonly decision: Decision;
      /** What was asked to be sent; needed when the answer is no, since then no intent follows. */
      readonly arguments?: JsonValue;
      readonly digest?: string;
    })
  | (CallSubject & {
      readonly kind: 'argumentsEdited';
      readonly promptId: string;
      readonly before: JsonObject;
      readonly after: JsonObject;
      readonly beforeDigest: string;
      readonly afterDigest: string;
    })
  | IntentEvent
  | (CallSubject & {
      readonly kind: 'inputRequested';
      readonly key: string;
      readonly request: 'elicitationForm' | 'elicitationUrl' | 'sampling' | 'roots';
      readonly message?: string;
      readonly url?: string;
    })
  /** Only the kind of the answer: what a person typed for the server is theirs. */
  | (CallSubject & {
      readonly kind: 'inputAnswered';
      readonly key: string;
      readonly request: 'elicitationForm' | 'elicitationUrl' | 'sampling' | 'roots';
      readonly answer: 'accept' | 'decline' | 'cancel' | 'answered' | 'refused';
      readonly by: DecidedBy;
    })
  | ResultEvent
  | (CallSubject & {
      readonly kind: 'error';
      /** `server`: a JSON-RPC error. `host`: one of ours; `code` is a HostErrorCode. */
      readonly source: 'server' | 'host';
      readonly code: string;
      readonly message: string;
      readonly data?: JsonValue;
      readonly requestId?: string;
      /** Since the intent. */
      readonly durationMs?: number;
    })
  | (CallSubject & {
      readonly kind: 'cancelled';
      readonly by: 'caller' | 'person' | 'shutdown' | 'server';
      readonly reason?: string;
      readonly durationMs?: number;
    })
  | (CallSubject & { readonly kind: 'resultWithheld'; readonly promptId: string; readonly reason?: string })
  /** One JSON-RPC message, only while tracing is on. */
  | (CallSubject & {
      readonly kind: 'messageTraced';
      readonly direction: 'sent' | 'received';
      readonly message: JsonValue;
    });

/** The call is about to go out. */
export interface IntentEvent extends CallSubject {
  readonly kind: 'intent';
  /** Set for what is no tool call: a person opens a resource; `tool` then says the same. */
  readonly method?: 'resources/read';
  /** The call whose result had the link to the resource. */
  readonly linkedFrom?: string;
  readonly arguments: JsonObject;
  /** `digest(arguments)`: what a person approved, or what policy allowed. */
  readonly digest: string;
  readonly decision: Decision;
  readonly toolFingerprint?: string;
  readonly launchFingerprint?: string;
  readonly era?: Era;
  readonly protocolVersion?: string;
  readonly transport?: 'stdio' | 'http';
  /** W3C trace context exactly as it is sent to the server. */
  readonly traceparent?: string;
}

/** The server's answer, an `isError` one included. Size and digest are added by the journal. */
export interface ResultEvent extends CallSubject {
  readonly kind: 'result';
  readonly isError: boolean;
  /** Since the intent. */
  readonly durationMs: number;
  readonly result: CallToolResult;
  /** JSON-RPC id of the last request of the call, if it is known. */
  readonly requestId?: string;
  /** What the result check found: schema mismatch, size, content set aside. */
  readonly problems?: readonly string[];
  /** How much of it the model got, in characters, if it was cut. */
  readonly cutTo?: number;
}

/** What was agreed beyond one call. */
type PolicyEvent =
  | {
      readonly kind: 'grantMade';
      readonly grantId: string;
      readonly serverId: string;
      readonly tool: string;
      readonly scope: string;
      /** The whole grant in plain words. */
      readonly preview: string;
      readonly callId?: string;
    }
  | {
      readonly kind: 'grantRevoked';
      readonly grantId: string;
      readonly serverId: string;
      readonly tool: string;
      readonly by: 'person' | 'expiry' | 'corruptStorage';
    }
  | {
      readonly kind: 'grantSuspended';
      readonly grantId: string;
      readonly serverId: string;
      readonly tool: string;
      readonly cause: 'toolChanged' | 'launchChanged';
    }
  | {
      readonly kind: 'policyChanged';
      readonly source: 'user' | 'workspace' | 'managed';
      readonly rules: number;
      readonly problems: number;
      /** Of the rules' canonical JSON, before and after; absent where there were none. */
      readonly before?: string;
      readonly after?: string;
    }
  | {
      readonly kind: 'bridgeClientConnected' | 'bridgeClientDisconnected';
      readonly clientId: string;
      /** Self-reported. */
      readonly name?: string;
      readonly version?: string;
    };

/** The journal about itself. */
export type JournalEvent =
  | { readonly kind: 'recordingChanged'; readonly setting: string; readonly value: string }
  | {
      readonly kind: 'recordingFailed';
      readonly code: string;
      readonly message: string;
      /** True: calls go on without a record, because the setting says so. */
      readonly goingOn: boolean;
    }
  | {
      readonly kind: 'recordingResumed';
      readonly failedSince: string;
      /** Records that were kept in memory and stand just before this one. */
      readonly kept: number;
      /** Records that are gone. */
      readonly lost: number;
      /** Calls that went out before their intent was on record. */
      readonly unrecordedCalls: number;
    }
  | {
      readonly kind: 'segmentOpened';
      readonly sessionId: string;
      readonly number: number;
      /** The file before, with its last record. Absent in the first one of a session. */
      readonly previous?: { readonly file: string; readonly seq: number; readonly hash: string };
      /** The folder of the file before, if recording was moved to another one. */
      readonly movedFrom?: string;
      /** What else lay in the folder, so that a file that vanishes is missed. */
      readonly others: readonly { readonly file: string; readonly seq: number; readonly hash: string }[];
      readonly storage: string;
      /** Why the file before was left: `size`, `day`, `moved`, `disturbed`, `failed`; `session` for the first one. */
      readonly cause: string;
    }
  | { readonly kind: 'segmentClosed'; readonly next: string }
  | {
      readonly kind: 'journalDeleted';
      readonly file: string;
      readonly bytes: number;
      /** Its last record. */
      readonly last?: { readonly seq: number; readonly hash: string };
      readonly cause: 'age' | 'totalSize' | 'person';
    }
  /** Somebody else removed, replaced or changed the file while it was being written. */
  | { readonly kind: 'journalDisturbed'; readonly file: string; readonly message: string }
  | { readonly kind: 'clockChanged'; readonly byMs: number }
  | { readonly kind: 'exported'; readonly format: string; readonly calls: number };

/**
 * An event stands in its record's line beside these, so it must not have members of such names: a reader would take
 * them for the record's. One that has is no event, and code that records it does not compile.
 */
type RecordMember = 'v' | 'seq' | 'time' | 'call' | 'step' | 'prev' | 'hash';
type WithoutRecordMembers<Event> = Event extends unknown
  ? Extract<keyof Event, RecordMember> extends never
    ? Event
    : never
  : never;

export type AuditEvent = WithoutRecordMembers<LifeEvent | CallEvent | PolicyEvent | JournalEvent>;
export type AuditEventKind = AuditEvent['kind'];

/** An event as the record holds it: redacted, numbered, timed. */
export interface AuditRecord {
  /** 1, 2, … through all files of a session; `undefined` while it could not be written. */
  readonly seq: number | undefined;
  /** ISO 8601, UTC, milliseconds; the wall clock, so it may jump. */
  readonly time: string;
  readonly event: AuditEvent;
}
