import { type JournalRequest, type OperationId, PARAMETERS } from '#spec';
import { didYouMean } from '../../core/values/did-you-mean.js';
import { shown } from '../../core/values/received-value.js';
import {
  describePending,
  type Evidence,
  listPending,
} from '../account-of-test/describe-requests.js';

/** The runner's comparison, which knows its asymmetric matchers. */
export type Equals = (one: unknown, other: unknown) => boolean;

export interface Finding {
  readonly pass: boolean;
  /** True if no further request can change the outcome. */
  readonly isFinal: boolean;
  /** What to say if the outcome is not the expected one; `story` says what was received. */
  message(isNot: boolean, story: string): string;
}

/** Judges what an account has received. */
export type Expectation = (evidence: Evidence, equals: Equals) => Finding;

/** An operation and some of its parameters; without these, any call of the operation matches. */
type Call = readonly [operationId: string, parameters?: unknown];

/**
 * The matchers of accounts, by the arguments that tests give them, which their `length` counts.
 * Throws for what no request can match.
 */
export const EXPECTATIONS = {
  toHaveReceived(operationId: string, parameters?: unknown): Expectation {
    const call: Call = [operationId, parameters];
    return ({ requests }, equals) => {
      const isFound = findCalls(requests, call, equals).length > 0;
      return findingOf(isFound, isFound, inWords(call));
    };
  },

  toHaveReceivedTimes(operationId: string, times: number, parameters?: unknown): Expectation {
    refuseInvalidTimes(times);
    const call: Call = [operationId, parameters];
    return ({ requests }, equals) => {
      const { length } = findCalls(requests, call, equals);
      const what = `${inWords(call)} ${timesInWords(times)}; received ${timesInWords(length)}`;
      return findingOf(length === times, length > times, what);
    };
  },

  toHaveReceivedInOrder(given: readonly (string | Call)[]): Expectation {
    if (!Array.isArray(given) || given.length === 0) {
      throw new TypeError(
        `The calls are ${shown(given)}; expected a list such as ['getCustomer', ['deleteContract', { contractId: … }]].`,
      );
    }
    const calls = given.map((call): Call => (typeof call === 'string' ? [call] : call));
    const what = `${calls.map(inWords).join(', then ')}, in this order`;
    return ({ requests }, equals) => {
      let last = 0;
      for (const call of calls) {
        const found = findCalls(requests, call, equals);
        last = found.find((id) => id > last) ?? Number.POSITIVE_INFINITY;
      }
      const isFound = Number.isFinite(last);
      return findingOf(isFound, isFound, what);
    };
  },

  toHaveNothingPending(): Expectation {
    return (evidence) => {
      const pass = listPending(evidence).length === 0;
      const pending = describePending(evidence) || '\nNothing is pending.';
      return {
        pass,
        isFinal: pass,
        message: (isNot) =>
          `Expected ${isNot ? 'a fault or a stub' : 'no fault and no stub'} to be pending in the account.${pending}`,
      };
    };
  },
};

export type MatcherName = keyof typeof EXPECTATIONS;

function findingOf(pass: boolean, isFinal: boolean, what: string): Finding {
  return {
    pass,
    isFinal,
    message: (isNot, story) =>
      `Expected the account ${isNot ? 'not ' : ''}to have received ${what}. It received, latest first:\n${story}`,
  };
}

/** The ids of the matching requests, in the order in which they were received. */
function findCalls(
  requests: readonly JournalRequest[],
  [operationId, parameters]: Call,
  equals: Equals,
): readonly number[] {
  refuseUnknownOperation(operationId);
  const calls = requests.filter((request) => request.operationId === operationId);
  const given = calls.map(givenTo);
  if (parameters !== undefined) {
    refuseUnknownParameters(operationId, parameters, given);
    refuseHiddenBodies(calls);
  }
  return calls.flatMap(({ id }, nth) =>
    hasParameters(given[nth] ?? {}, parameters, equals) ? [id] : [],
  );
}

function inWords([operationId, parameters]: Call): string {
  const isAny = Object.keys(Object(parameters)).length === 0;
  return isAny ? operationId : `${operationId} with ${shown(parameters)}`;
}

function timesInWords(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}

type Given = Readonly<Record<string, unknown>>;

function givenTo({ parameters, body }: JournalRequest): Given {
  return { ...parameters, ...(typeof body === 'object' ? body : {}) };
}

/** Compares text with an expected number as a number, because a query is text. */
function hasParameters(given: Given, parameters: unknown, equals: Equals): boolean {
  return Object.entries(parameters ?? {}).every(([name, expected]) => {
    const value = given[name];
    const isNumeric = typeof expected === 'number' && typeof value === 'string' && value !== '';
    return equals(isNumeric ? Number(value) : value, expected);
  });
}

function refuseInvalidTimes(times: unknown): void {
  if (Number.isInteger(times) && Number(times) >= 0) return;
  throw new TypeError(
    `The number of times is ${shown(times)}; expected a whole number, at least 0.`,
  );
}

/** Throws for an operation that the document does not have, because no request can call it. */
export function refuseUnknownOperation(operationId: string): asserts operationId is OperationId {
  if (Object.hasOwn(PARAMETERS, operationId)) return;
  const known = Object.keys(PARAMETERS);
  throw new TypeError(
    `Unknown operation '${operationId}'${expectedName(operationId, known, 'one of ')}`,
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
    `${operationId} has no parameter '${unknown}'${expectedName(unknown, known)}${advice}`,
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
  return advice ? `. ${advice}` : `; expected ${oneOf}${known.join(', ')}.`;
}
