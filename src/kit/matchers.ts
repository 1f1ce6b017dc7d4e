import type { JournalControl } from '../accounts/journal/journal.js';
import type { JournalRequest } from '../accounts/journal/journal-request.js';
import type { OperationId } from '../billing/operation.js';
import type { operations } from '../generated/openapi.js';
import { shown } from '../messages/received-value.js';
import { once } from '../server/once.js';
import { readPackageYaml } from '../server/package-files.js';
import { type AnyAnswer, createDocumentMatch } from './match-document.js';
import {
  refuseHiddenBodies,
  refuseOddTimes,
  refusePromise,
  refuseUnknownOperation,
  refuseUnknownParameters,
} from './refuse-mistakes.js';
import { storyOf } from './story.js';
import type { TestMock } from './test-mock.js';

type Member<Part> = Part extends object ? Partial<Part> : unknown;
type BodyOf<Operation> = Operation extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : unknown;

/** What a call is matched by: some of its path and query parameters and members of its body. */
type ReceivedParameters<Id extends OperationId> = Member<operations[Id]['parameters']['path']> &
  Member<operations[Id]['parameters']['query']> &
  Member<BodyOf<operations[Id]>>;

/**
 * The matchers of the kits, as test runners type them.
 *
 * @example
 * expect(mock).toHaveReceived('deleteContract', { contractId: 'k1' });
 */
export interface BillingMatchers<R> {
  /**
   * Passes if the account was called with this operation, and with these parameters and members of
   * the body if some are given; further ones are allowed. Accepts `mock` or an account. Throws for
   * an operation that the document does not have, and a parameter that neither it nor a call has.
   *
   * @example
   * expect(mock).toHaveReceived('deleteContract', { contractId: 'k1' });
   */
  toHaveReceived<Id extends OperationId>(operationId: Id, parameters?: ReceivedParameters<Id>): R;
  /**
   * Passes if such a call was received exactly this number of times.
   *
   * @example
   * expect(mock).toHaveReceivedTimes('listMeasurements', 3, { limit: 100 });
   */
  toHaveReceivedTimes<Id extends OperationId>(
    operationId: Id,
    times: number,
    parameters?: ReceivedParameters<Id>,
  ): R;
  /**
   * Passes if an answer, wherever it came from, is one that the document allows the operation: its
   * status and its body. Accepts the answer of `fetch`, supertest or axios, or `{ status, body }`; await
   * it. A document other than `openapi.yaml`, such as `server.openapi(token)`, may be given.
   *
   * @example
   * await expect(await fetch(`${url}/customers/c1`, init)).toMatchContract('getCustomer');
   */
  toMatchContract(operationId: OperationId, document?: object): Promise<R>;
}

interface MatcherContext {
  readonly isNot?: boolean;
  equals(one: unknown, other: unknown, testers?: unknown[]): boolean;
}

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * The matchers as `expect.extend` accepts them; importing a kit extends its `expect` already.
 *
 * @example
 * import { billingMatchers } from 'usage-billing-mock/vitest';
 * expect.extend(billingMatchers);
 */
export const billingMatchers = {
  toHaveReceived(
    this: MatcherContext,
    received: unknown,
    operationId: string,
    parameters?: unknown,
  ): MatcherResult {
    const { story, found } = search(this, received, operationId, parameters);
    const expected = `to have received ${callInWords(operationId, parameters)}`;
    return resultOf(found.length > 0, this.isNot ? `not ${expected}` : expected, story);
  },

  toHaveReceivedTimes(
    this: MatcherContext,
    received: unknown,
    operationId: string,
    times: number,
    parameters?: unknown,
  ): MatcherResult {
    refuseOddTimes(times);
    const { story, found } = search(this, received, operationId, parameters);
    const expected = `to have received ${callInWords(operationId, parameters)} ${times} times, and it did ${found.length} times`;
    return resultOf(found.length === times, this.isNot ? `not ${expected}` : expected, story);
  },

  async toMatchContract(
    this: MatcherContext,
    received: unknown,
    operationId: string,
    document?: object,
  ): Promise<MatcherResult> {
    refuseUnknownOperation(operationId);
    const answer = await answerOf(received);
    const matchDocument = document ? createDocumentMatch(document) : matchShipped();
    const broken = matchDocument(operationId, answer);
    const expected = `${this.isNot ? 'no answer' : 'an answer'} of ${operationId} that matches the document`;
    const was = `${answer.status} ${shown(answer.body ?? answer.data)}`;
    const first = `Expected ${expected}; received ${was}`;
    return { pass: broken.length === 0, message: () => [first, ...broken].join('\n  ') };
  },
};

/** Matches against the document of the package, whose schemas are compiled once. */
const matchShipped = once(() => createDocumentMatch(readPackageYaml('openapi.yaml') as object));

function search(
  context: MatcherContext,
  received: unknown,
  operationId: string,
  parameters: unknown,
) {
  refuseUnknownOperation(operationId);
  const journal = journalOf(received);
  const requests = journal.list({ operationId });
  const calls = requests.map(givenTo);
  if (parameters !== undefined) {
    refuseUnknownParameters(operationId, parameters, calls);
    refuseHiddenBodies(requests);
  }
  const { story = () => storyOf(journal) } = received as Partial<TestMock>;
  return { story, found: calls.filter((given) => isSuch(context, given, parameters)) };
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

function journalOf(received: unknown): JournalControl {
  refusePromise(received);
  const isServer = typeof (received as { account?: unknown })?.account === 'function';
  const { journal } = (received ?? {}) as { journal?: JournalControl };
  if (journal !== undefined && !isServer) return journal;
  throw new TypeError(
    `expect() was given ${isServer ? 'a server' : shown(received)}; expected an account: the mock of useMockServer(), or server.account(token).`,
  );
}

async function answerOf(received: unknown): Promise<AnyAnswer> {
  refusePromise(received);
  if (received instanceof Response) {
    if (!received.bodyUsed) return { status: received.status, body: await received.clone().text() };
    throw new TypeError(
      'The body of the Response has been read; expected one that has not. Match it before it is read, or give { status, body }.',
    );
  }
  if (typeof (received as AnyAnswer | undefined)?.status === 'number') return received as AnyAnswer;
  throw new TypeError(
    `expect() was given ${shown(received)}; expected an answer: a Response, that of supertest or axios, or { status, body }.`,
  );
}

function callInWords(operationId: string, parameters: unknown): string {
  return parameters === undefined ? operationId : `${operationId} with ${shown(parameters)}`;
}

function resultOf(pass: boolean, expected: string, story: () => string): MatcherResult {
  return {
    pass,
    message: () => `Expected the account ${expected}. It received:\n${story()}`,
  };
}
