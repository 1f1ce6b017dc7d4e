import type { DecisionsBehindResponse } from '../decisions/decisions-behind-response.js';

/**
 * A fixed status, the kind of refusal whose status a decision sets, or `given` if each refusal has
 * its own.
 */
type Status = number | 'invalid' | 'unknown' | 'unauthorized' | 'given';

interface ProblemKind {
  readonly title: string;
  readonly status: Status;
  /** Header fields that every problem of the kind has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Every kind of problem: its title and its status (section 7, RFC 9110 and RFC 6585). */
const PROBLEM_TYPES = {
  'unknown-path': { title: 'Unknown path', status: 404 },
  'method-not-allowed': { title: 'Method not allowed', status: 405 },
  unauthorized: {
    title: 'Missing or invalid token',
    status: 'unauthorized',
    headers: { 'WWW-Authenticate': 'Bearer realm="usage-billing-mock"' },
  },
  'unsupported-media-type': { title: 'Unsupported media type', status: 415 },
  'content-too-large': { title: 'Body too large', status: 413 },
  'missing-body': { title: 'Missing body', status: 'invalid' },
  'malformed-json': { title: 'Malformed JSON', status: 'invalid' },
  'invalid-request': { title: 'Invalid request', status: 'invalid' },
  'invalid-cursor': { title: 'Invalid cursor', status: 'invalid' },
  'unknown-identifier': { title: 'Not found', status: 'unknown' },
  'deleted-before': { title: 'Contract already deleted', status: 410 },
  'delete-conflict': { title: 'Contract already deleted', status: 409 },
  'duplicate-name': { title: 'Several customers have this name', status: 409 },
  'malformed-http': { title: 'Malformed HTTP request', status: 400 },
  'headers-too-large': { title: 'Header fields too large', status: 431 },
  'request-timeout': { title: 'Request timeout', status: 408 },
  'unmet-expectation': { title: 'Expectation failed', status: 417 },
  'too-many-requests': { title: 'Rate limit exceeded', status: 429 },
  'preferred-error': { title: 'Error requested by the client', status: 'given' },
  'injected-fault': { title: 'Injected fault', status: 'given' },
  forbidden: { title: 'Forbidden by the control plane', status: 403 },
  conflict: { title: 'Conflict with the current state', status: 409 },
  'too-many-accounts': { title: 'Too many accounts', status: 503 },
  'invalid-response': { title: 'The response does not match the document', status: 500 },
  'internal-error': { title: 'Internal error', status: 500 },
} as const satisfies Record<string, ProblemKind>;

/** The name of a kind of problem: the last part of its `type`. Names are stable. */
export type ProblemName = keyof typeof PROBLEM_TYPES;

export const PROBLEM_NAMES = Object.keys(PROBLEM_TYPES) as readonly ProblemName[];

/** The status of a kind of problem under the decisions in force; `given` for kinds without one. */
export function statusOf(
  problem: ProblemName,
  decisions: DecisionsBehindResponse,
  given = 500,
): number {
  const { status }: ProblemKind = PROBLEM_TYPES[problem];
  switch (status) {
    case 'invalid':
      return decisions.apply('invalid-request-status');
    case 'unknown':
      return decisions.apply('unknown-identifier-status');
    case 'unauthorized':
      return decisions.apply('unauthorized-status');
    case 'given':
      return given;
    default:
      return status;
  }
}

export function titleOf(problem: ProblemName): string {
  return PROBLEM_TYPES[problem].title;
}

export function headersOfType(problem: ProblemName): Readonly<Record<string, string>> {
  const { headers = {} }: ProblemKind = PROBLEM_TYPES[problem];
  return headers;
}
