/*
 * How many checks of each scenario must succeed. The suite alone is no judge: a client that does nothing
 * passes some scenarios, so each has to show that it was really exercised.
 */

export type Revision = '2026-07-28' | '2025-11-25';

export interface Expectation {
  readonly scenario: string;
  /** Fewest successful checks by revision; absent: the scenario does not apply. */
  readonly minimum: Readonly<Partial<Record<Revision, number>>>;
}

export const expectations: readonly Expectation[] = [
  { scenario: 'initialize', minimum: { '2025-11-25': 1 } },
  { scenario: 'tools_call', minimum: { '2026-07-28': 2, '2025-11-25': 2 } },
  { scenario: 'elicitation-sep1034-client-defaults', minimum: { '2025-11-25': 5 } },
  { scenario: 'sse-retry', minimum: { '2025-11-25': 3 } },
  { scenario: 'request-metadata', minimum: { '2026-07-28': 8 } },
  { scenario: 'http-standard-headers', minimum: { '2026-07-28': 9 } },
  { scenario: 'http-custom-headers', minimum: { '2026-07-28': 18 } },
  { scenario: 'http-invalid-tool-headers', minimum: { '2026-07-28': 12 } },
  { scenario: 'sep-2322-client-request-state', minimum: { '2026-07-28': 5 } },
  { scenario: 'json-schema-ref-no-deref', minimum: { '2026-07-28': 1 } },
  { scenario: 'json-schema-2020-12-preservation', minimum: { '2026-07-28': 9, '2025-11-25': 9 } },
];

/** Scenarios of the skills extension, which Countersign does not declare. They only pass by doing nothing. */
export function isForeignExtension(scenario: string): boolean {
  return scenario.startsWith('sep-2640-');
}

/** Scenarios that need authorization. */
export function isAuthorization(scenario: string): boolean {
  return scenario.startsWith('auth/');
}
