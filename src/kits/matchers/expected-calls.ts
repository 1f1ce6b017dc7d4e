import type { JournalRequest } from '../../accounts/journal/journal-request.js';
import type { OperationId } from '../../billing/operation.js';
import { PARAMETERS } from '../../generated/operations.js';
import { didYouMean } from '../../values/did-you-mean.js';
import { shown } from '../../values/received-value.js';
import {
  type AnyAccount,
  type AnyJournal,
  describeRequests,
} from '../account-of-test/received-requests.js';
import type { TestAccount } from '../account-of-test/test-account.js';

/** What a runner gives to a matcher. */
export interface MatcherContext {
  readonly isNot?: boolean;
  /** How long it waits for what is expected, if nothing else is given; not at all if left out. */
  readonly timeoutMs?: number;
  /** The test that calls, in jest: in version 29 only one that runs beside others. */
  currentConcurrentTestName?(): string | undefined;
  equals(one: unknown, other: unknown, testers?: unknown[]): boolean;
}

/** An operation, with some of its parameters or any. */
export type Expected = readonly [operationId: string, parameters?: unknown];

/** The calls of one operation that an account received with these parameters, by their numbers. */
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
    isSuch(context, calls[nth] ?? {}, parameters) ? [id] : [],
  );
}

/** Everything that the account received, as text. */
export function storyOf(received: unknown): Promise<string> {
  const { story } = received as Partial<TestAccount>;
  return story?.() ?? describeRequests(journalOf(received));
}

/** An expected call in words. */
export function inWords([operationId, parameters]: Expected): string {
  const isAny = Object.keys(Object(parameters)).length === 0;
  return isAny ? operationId : `${operationId} with ${shown(parameters)}`;
}

type Given = Readonly<Record<string, unknown>>;

/** What a call was given: its parameters, and the members of its body. */
function givenTo({ parameters, body }: JournalRequest): Given {
  return { ...parameters, ...(typeof body === 'object' ? body : {}) };
}

/** Whether a call has the parameters; numbers are compared as such, for a query is text. */
function isSuch(context: MatcherContext, given: Given, parameters: unknown): boolean {
  return Object.entries(parameters ?? {}).every(([name, expected]) => {
    const value = typeof expected === 'number' ? Number(given[name]) : given[name];
    return context.equals(value, expected);
  });
}

function journalOf(received: unknown): AnyJournal {
  return accountOf(received).journal;
}

/** The account that a matcher was given, itself or as what a kit gives to a test. */
export function accountOf(received: unknown): AnyAccount {
  refusePromise(received);
  const { account, journal } = (received ?? {}) as Partial<TestAccount>;
  const isServer = typeof account === 'function';
  if (journal !== undefined && !isServer) return account ?? (received as AnyAccount);
  throw new TypeError(
    `expect() was given ${isServer ? 'a server' : shown(received)}; expected an account: the mock that the kit gives a test, or server.account(token).`,
  );
}

/** Throws for a promise, which `expect` cannot look into. */
export function refusePromise(received: unknown): void {
  if (typeof (received as { then?: unknown } | undefined | null)?.then !== 'function') return;
  throw new TypeError('expect() was given a promise; await it: expect(await …).');
}

/** Throws for an operation that the document does not have: no request could ever call it. */
export function refuseUnknownOperation(operationId: string): asserts operationId is OperationId {
  if (Object.hasOwn(PARAMETERS, operationId)) return;
  const known = Object.keys(PARAMETERS);
  throw new TypeError(
    `Unknown operation '${operationId}'; ${expectedName(operationId, known, 'one of ')}`,
  );
}

/**
 * Throws for a parameter that neither the document nor any of the calls has: a typing error must
 * not pass as a call that was never made.
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

/** Throws where the journal keeps only the length and hash of a body, which cannot be matched. */
function refuseHiddenBodies(requests: readonly JournalRequest[]): void {
  for (const { id, body } of requests) {
    if (typeof body !== 'object' || body === null || !('bytes' in body && 'hash' in body)) continue;
    throw new TypeError(
      `Request ${id} has a body of ${body.bytes} bytes, of which the journal keeps only the hash; expected a shorter one. Match without parameters, or look at journal.list().`,
    );
  }
}

function expectedName(received: string, known: readonly string[], oneOf = ''): string {
  const advice = didYouMean(received, known);
  return `expected ${oneOf}${known.join(', ')}.${advice ? ` ${advice}` : ''}`;
}
