import type { OperationId } from '../../core/billing/operation.js';
import { didYouMean } from '../../core/values/did-you-mean.js';
import { shown } from '../../core/values/received-value.js';
import { PARAMETERS } from '../../generated/operations.js';
import type { JournalRequest } from '../../mock/accounts/journal/journal-request.js';
import {
  type AnyAccount,
  type AnyJournal,
  describeRequests,
} from '../account-of-test/describe-requests.js';
import type { TestAccount } from '../account-of-test/test-account.js';

/** What a runner passes to a matcher. */
export interface MatcherContext {
  readonly isNot?: boolean;
  /** How long the matcher waits by default; not at all if left out. */
  readonly timeoutMs?: number;
  /** The test that is calling, in jest; in version 29 only if it is concurrent. */
  currentConcurrentTestName?(): string | undefined;
  equals(one: unknown, other: unknown, testers?: unknown[]): boolean;
}

/** An operation and some of its parameters; without these, any call of the operation matches. */
export type Expected = readonly [operationId: string, parameters?: unknown];

/** The ids of the matching requests, in the order in which they were received. */
export async function findCalls(
  context: MatcherContext,
  received: unknown,
  [operationId, parameters]: Expected,
): Promise<readonly number[]> {
  refuseUnknownOperation(operationId);
  const requests = await journalOf(received).list({ operationId });
  const calls = requests.map(givenTo);
  if (parameters !== undefined) {
    refuseUnknownParameters(operationId, parameters, calls);
    refuseHiddenBodies(requests);
  }
  return requests.flatMap(({ id }, nth) =>
    hasParameters(context, calls[nth] ?? {}, parameters) ? [id] : [],
  );
}

/** The story of a test's mock; for an account alone, only the requests that it received. */
export function storyOf(received: unknown): Promise<string> {
  const { story } = received as Partial<TestAccount>;
  return story?.() ?? describeRequests(journalOf(received));
}

export function inWords([operationId, parameters]: Expected): string {
  const isAny = Object.keys(Object(parameters)).length === 0;
  return isAny ? operationId : `${operationId} with ${shown(parameters)}`;
}

type Given = Readonly<Record<string, unknown>>;

function givenTo({ parameters, body }: JournalRequest): Given {
  return { ...parameters, ...(typeof body === 'object' ? body : {}) };
}

/** Compares text with an expected number as a number, because a query is text. */
function hasParameters(context: MatcherContext, given: Given, parameters: unknown): boolean {
  return Object.entries(parameters ?? {}).every(([name, expected]) => {
    const value = given[name];
    const isNumeric = typeof expected === 'number' && typeof value === 'string' && value !== '';
    return context.equals(isNumeric ? Number(value) : value, expected);
  });
}

function journalOf(received: unknown): AnyJournal {
  return accountOf(received).journal;
}

/** The account that `expect` was given, directly or as the mock of a test. */
export function accountOf(received: unknown): AnyAccount {
  refusePromise(received);
  const { account, journal } = (received ?? {}) as Partial<TestAccount>;
  const isServer = typeof account === 'function';
  if (journal !== undefined && !isServer) return account ?? (received as AnyAccount);
  throw new TypeError(
    `expect() was given ${isServer ? 'a server' : shown(received)}; expected an account: the kit's mock (in Playwright, billing), or server.account(token).`,
  );
}

export function refusePromise(received: unknown): void {
  if (typeof (received as { then?: unknown } | undefined | null)?.then !== 'function') return;
  throw new TypeError('expect() was given a promise; await it: expect(await …).');
}

/** Throws for an operation that the document does not have, because no request can call it. */
export function refuseUnknownOperation(operationId: string): asserts operationId is OperationId {
  if (Object.hasOwn(PARAMETERS, operationId)) return;
  const known = Object.keys(PARAMETERS);
  throw new TypeError(
    `Unknown operation '${operationId}'; ${expectedName(operationId, known, 'one of ')}`,
  );
}

/**
 * Throws for a parameter that neither the document nor any call has: with a misspelt name,
 * `not.toHaveReceived` would always pass.
 */
function refuseUnknownParameters(
  operationId: OperationId,
  parameters: unknown,
  calls: readonly object[],
): void {
  const known: readonly string[] = PARAMETERS[operationId];
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    throw new TypeError(
      `The parameters are ${shown(parameters)}; expected an object such as { ${known[0]}: … }.`,
    );
  }
  const isKnown = (name: string) =>
    known.includes(name) || calls.some((call) => Object.hasOwn(call, name));
  const unknown = Object.keys(parameters).find((name) => !isKnown(name));
  if (unknown === undefined) return;
  const advice = unknown === 'timeout' ? ' Options such as { timeout } follow the parameters.' : '';
  throw new TypeError(
    `${operationId} has no parameter '${unknown}'; ${expectedName(unknown, known)}${advice}`,
  );
}

/** Throws if the journal kept only the length and hash of a body, which cannot be matched. */
function refuseHiddenBodies(requests: readonly JournalRequest[]): void {
  for (const { id, body } of requests) {
    if (typeof body !== 'object' || body === null || !('bytes' in body && 'hash' in body)) continue;
    throw new TypeError(
      `Request ${id} has a body of ${body.bytes} bytes, of which the journal keeps only the hash; expected a shorter one. Match without parameters.`,
    );
  }
}

function expectedName(received: string, known: readonly string[], oneOf = ''): string {
  const advice = didYouMean(received, known);
  return `expected ${oneOf}${known.join(', ')}.${advice ? ` ${advice}` : ''}`;
}
