/** JSON-RPC error codes that mean something to us (specification: basic, "Error Codes"). */
export const errorCode = {
  /** What the specification's example answers for a person who says no (client/sampling, "Error Handling"). */
  rejectedByUser: -1,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** HTTP headers and body disagree (2026-07-28). */
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
  /** 2025-11-25 only: the call needs a URL elicitation first. */
  urlElicitationRequired: -32042,
} as const;

const modernCodes: ReadonlySet<number> = new Set([
  errorCode.headerMismatch,
  errorCode.missingClientCapability,
  errorCode.unsupportedVersion,
]);

/** True for codes that only a modern server sends (specification: stdio, "Backward Compatibility"). */
export function isModernErrorCode(code: number): boolean {
  return modernCodes.has(code);
}
