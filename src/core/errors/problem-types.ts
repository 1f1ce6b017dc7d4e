import type { components } from '../../generated/openapi.js';
import type { DecisionsBehindResponse } from '../decisions/decisions-behind-response.js';
import type { DecisionId } from '../decisions/ledger.js';

type StatusDecision =
  | 'invalid-request-status'
  | 'unknown-identifier-status'
  | 'unauthorized-status';

interface ProblemKind {
  readonly title: string;
  /** A fixed status, the decision that sets it, or `given` if each refusal has its own. */
  readonly status: number | StatusDecision | 'given';
  /** Header fields that every problem of the kind has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether every operation may return it, or every one that has a body. */
  readonly anywhere?: true | 'with-body';
  /** The name of the document's response for it, which several kinds may share. */
  readonly component?: string;
  /** Describes that response; exactly one of the kinds that share it does. */
  readonly response?: DocumentedResponse;
}

/** What the document says of a response besides the title and status of its problem. */
interface DocumentedResponse {
  readonly description: string;
  /** Decisions that it depends on, besides those on its status and on the form of errors. */
  readonly decisions?: readonly DecisionId[];
  readonly headers?: Readonly<Record<string, object>>;
  readonly example: Partial<components['schemas']['Problem']>;
}

const BEARER = 'Bearer realm="usage-billing-mock"';

/**
 * Every kind of problem: its title and its status (section 7, RFC 9110 and RFC 6585), and what the
 * document says of it, if operations list it.
 */
const PROBLEM_TYPES = {
  'unknown-path': { title: 'Unknown path', status: 404 },
  'method-not-allowed': { title: 'Method not allowed', status: 405 },
  unauthorized: {
    title: 'Missing or invalid token',
    status: 'unauthorized-status',
    headers: { 'WWW-Authenticate': BEARER },
    anywhere: true,
    component: 'Unauthorized',
    response: {
      description:
        'The `Authorization` header is missing or malformed, or its token is refused (section 5). The status is not known (section 7).',
      decisions: ['unknown-token'],
      headers: {
        'WWW-Authenticate': {
          description: 'The scheme to use, always `Bearer`.',
          schema: { type: 'string' },
          example: BEARER,
        },
      },
      example: {
        detail:
          "No Authorization header was received; expected 'Authorization: Bearer <token>'. Set the header, for example to 'Bearer my-token'.",
      },
    },
  },
  'unsupported-media-type': {
    title: 'Unsupported media type',
    status: 415,
    anywhere: 'with-body',
    component: 'UnsupportedMediaType',
    response: {
      description: 'The body is not declared as `application/json`. Nothing was changed.',
      example: {
        detail:
          "The body was sent as 'text/plain'; expected 'application/json'. Set the Content-Type header.",
      },
    },
  },
  'content-too-large': {
    title: 'Body too large',
    status: 413,
    anywhere: 'with-body',
    component: 'ContentTooLarge',
    response: {
      description: 'The body is larger than 10 MB. Nothing was changed.',
      example: {
        detail:
          'The body has 10485762 bytes; expected at most 10485760 (10 MB). Send it in several requests.',
      },
    },
  },
  'missing-body': { title: 'Missing body', status: 'invalid-request-status' },
  'malformed-json': { title: 'Malformed JSON', status: 'invalid-request-status' },
  'invalid-request': {
    title: 'Invalid request',
    status: 'invalid-request-status',
    anywhere: true,
    component: 'InvalidRequest',
    response: {
      description:
        'A parameter or the body is missing, malformed or out of bounds. Nothing was changed. The status is not known (section 7).',
      example: {
        detail:
          '1 value is invalid: query /limit: expected a finite decimal number, received "ten".',
        errors: [
          {
            in: 'query',
            pointer: '/limit',
            expected: 'a finite decimal number',
            received: 'ten',
            detail: 'Send a number such as 10.',
          },
        ],
      },
    },
  },
  'invalid-cursor': {
    title: 'Invalid cursor',
    status: 'invalid-request-status',
    component: 'InvalidRequest',
  },
  'unknown-identifier': {
    title: 'Not found',
    status: 'unknown-identifier-status',
    component: 'UnknownIdentifier',
    response: {
      description:
        'No record of this account has the identifier or name. The status is not known (section 7).',
      example: {
        detail:
          "This account has no customer with the id or externalId 'nobody'. Send one that GET /__control/customers lists, or add it.",
      },
    },
  },
  'deleted-before': { title: 'Contract already deleted', status: 410 },
  'delete-conflict': { title: 'Contract already deleted', status: 409 },
  'duplicate-name': { title: 'Several customers have this name', status: 409 },
  'malformed-http': { title: 'Malformed HTTP request', status: 400 },
  'headers-too-large': { title: 'Header fields too large', status: 431 },
  'request-timeout': { title: 'Request timeout', status: 408 },
  'unmet-expectation': { title: 'Expectation failed', status: 417 },
  'too-many-requests': {
    title: 'Rate limit exceeded',
    status: 429,
    anywhere: true,
    component: 'TooManyRequests',
    response: {
      description:
        'The account has reached its rate limit. Whether there is a limit is not known (section 8).',
      decisions: ['rate-limit'],
      headers: {
        'Retry-After': {
          description: 'After how many seconds the next request is allowed.',
          schema: { type: 'integer' },
          example: 60,
        },
      },
      example: {
        detail: 'Rate limit reached (100 per 1m). Retry in 60 s, or switch the decision.',
        decision: 'rate-limit',
        section: '8',
        switch: 'Start with --decide rate-limit=unlimited, or PATCH /__control/decisions.',
      },
    },
  },
  'preferred-error': { title: 'Error requested by the client', status: 'given' },
  'injected-fault': { title: 'Injected fault', status: 'given' },
  forbidden: { title: 'Forbidden by the control plane', status: 403 },
  conflict: { title: 'Conflict with the current state', status: 409 },
  'too-many-accounts': {
    title: 'Too many accounts',
    status: 503,
    anywhere: true,
    component: 'ServiceUnavailable',
    response: {
      description:
        'The token is new, but the maximum number of accounts (`--max-accounts`) is already open (`too-many-accounts`); no account is closed to make room for another. Or the requests under way already take all the memory that they may take (`too-much-under-way`).',
      headers: {
        'Retry-After': {
          description: 'After how many seconds to try again, if too much is under way.',
          schema: { type: 'integer' },
          example: 1,
        },
      },
      example: {
        detail:
          'This token is new, and the limit of 10000 open accounts is reached. Close accounts you no longer need with DELETE /__control/accounts?prefix=… (closeAccounts in the library), let --close-idle-after close idle ones, reuse a token, or raise the limit with --max-accounts (maxAccounts in the library).',
      },
    },
  },
  'too-much-under-way': {
    title: 'Too much under way',
    status: 503,
    headers: { 'Retry-After': '1' },
    anywhere: true,
    component: 'ServiceUnavailable',
  },
  'invalid-response': { title: 'The response does not match the document', status: 500 },
  'internal-error': {
    title: 'Internal error',
    status: 500,
    anywhere: true,
    component: 'InternalError',
    response: {
      description:
        'A defect in the mock itself, such as a response that does not match this document.',
      example: {
        detail:
          'The mock failed while answering; its log has the cause, unless logLevel is silent. Please report it.',
      },
    },
  },
} satisfies Record<string, ProblemKind>;

/** The name of a kind of problem: the last part of its `type`. Names are stable. */
export type ProblemName = keyof typeof PROBLEM_TYPES;

export const PROBLEM_NAMES = Object.keys(PROBLEM_TYPES) as readonly ProblemName[];

/** The problems that every operation may return, or every one with a body. */
export function problemsAnywhere(hasBody: boolean): readonly ProblemName[] {
  return PROBLEM_NAMES.filter((problem) => {
    const { anywhere } = kindOf(problem);
    return anywhere === true || (hasBody && anywhere === 'with-body');
  });
}

/** The status of a kind of problem under the decisions in force; `given` for kinds without one. */
export function statusOf(
  problem: ProblemName,
  decisions: DecisionsBehindResponse,
  given = 500,
): number {
  const { status } = kindOf(problem);
  if (status === 'given') return given;
  return typeof status === 'number' ? status : DECIDED_STATUS[status](decisions);
}

const DECIDED_STATUS: Record<StatusDecision, (decisions: DecisionsBehindResponse) => number> = {
  'invalid-request-status': (decisions) => decisions.apply('invalid-request-status'),
  'unknown-identifier-status': (decisions) => decisions.apply('unknown-identifier-status'),
  'unauthorized-status': (decisions) => decisions.apply('unauthorized-status'),
};

export function titleOf(problem: ProblemName): string {
  return PROBLEM_TYPES[problem].title;
}

export function headersOfType(problem: ProblemName): Readonly<Record<string, string>> {
  return kindOf(problem).headers ?? {};
}

export function kindOf(problem: ProblemName): ProblemKind {
  return PROBLEM_TYPES[problem];
}
