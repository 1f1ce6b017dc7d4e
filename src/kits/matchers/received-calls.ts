import type { JournalRequest } from '../../accounts/journal/journal-request.js';
import { shown } from '../../messages/received-value.js';
import { type AnyJournal, storyOf } from '../account-of-test/received-requests.js';
import type { TestMock } from '../account-of-test/use-mock-server.js';
import {
  refuseHiddenBodies,
  refusePromise,
  refuseUnknownOperation,
  refuseUnknownParameters,
} from './refuse-mistakes.js';

/** What a runner gives to a matcher. */
export interface MatcherContext {
  readonly isNot?: boolean;
  /** The test that calls, in jest: in version 29 only one that runs beside others. */
  currentConcurrentTestName?(): string | undefined;
  equals(one: unknown, other: unknown, testers?: unknown[]): boolean;
}

/** The calls of an operation that an account received with these parameters, and how to tell the rest. */
export async function findCalls(
  context: MatcherContext,
  received: unknown,
  operationId: string,
  parameters: unknown,
) {
  refuseUnknownOperation(operationId);
  const journal = journalOf(received);
  const requests = await journal.list({ operationId });
  const calls = requests.map(givenTo);
  if (parameters !== undefined) {
    refuseUnknownParameters(operationId, parameters, calls);
    refuseHiddenBodies(requests);
  }
  const found = calls.filter((given) => isSuch(context, given, parameters));
  const { story = () => storyOf(journal) } = received as Partial<TestMock>;
  return { story, found };
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
  refusePromise(received);
  const isServer = typeof (received as { account?: unknown })?.account === 'function';
  const { journal } = (received ?? {}) as { journal?: AnyJournal };
  if (journal !== undefined && !isServer) return journal;
  throw new TypeError(
    `expect() was given ${isServer ? 'a server' : shown(received)}; expected an account: the mock of useMockServer(), or server.account(token).`,
  );
}
