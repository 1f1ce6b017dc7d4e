import { runInThisContext } from 'node:vm';
import type { Stub } from '../../core/stubs/stub.js';
import { count } from '../../core/values/plural.js';
import { cut, NOT_SHOWN, shown } from '../../core/values/received-value.js';
import type { MockServer } from '../../host/server/mock-interface.js';
import { sign } from '../../host/server/node-platform.js';
import type { JournalControl, ListOptions } from '../../mock/accounts/account-interface.js';
import { labelOf } from '../../mock/accounts/account-name.js';
import type { Fault } from '../../mock/accounts/faults.js';
import type { JournalFilter } from '../../mock/accounts/journal/journal-filter.js';
import type { JournalRequest } from '../../mock/accounts/journal/journal-request.js';
import type { RemoteServer } from '../../mock/client/connect-mock-server.js';

/** A journal in this process or in another. */
export interface AnyJournal {
  list(filter?: JournalFilter, options?: ListOptions): JournalRequest[] | Promise<JournalRequest[]>;
  readonly evicted: number | Promise<number>;
}

/** An account in this process or in another. */
export interface AnyAccount {
  readonly faults: { list(): readonly Fault[] | Promise<readonly Fault[]> };
  readonly stubs: { list(): readonly Stub[] | Promise<readonly Stub[]> };
  readonly journal: AnyJournal;
}

/** A report of tests may be public, so it has none of the values that nothing documents. */
const REPORTED: ListOptions = { values: 'documented' };

const HOW_TO_SHOW = `${NOT_SHOWN}: a value that nothing documents; the option showValues shows it (--show-values)`;

export async function describeRequests(journal: AnyJournal): Promise<string> {
  const [evicted, requests] = await Promise.all([
    journal.evicted,
    journal.list(undefined, REPORTED),
  ]);
  const listed = lastFirst(requests);
  const lines = [
    ...listed,
    ...(listed.some((line) => line.includes(NOT_SHOWN)) ? [HOW_TO_SHOW] : []),
    ...(evicted > 0 ? [`evicted to make room: ${count(evicted, 'older request')}`] : []),
  ];
  return lines.length === 0 ? '  no request' : inset(lines);
}

/**
 * Describes each fault that is still due, and each stub that no request in the journal has called.
 */
export async function listPending({ faults, stubs, journal }: AnyAccount): Promise<string[]> {
  const [arranged, stubbed] = await Promise.all([faults.list(), stubs.list()]);
  const requests = stubbed.length > 0 ? await journal.list() : [];
  const called = requests.flatMap(({ stub }) => (stub?.for === 'account' ? [stub.id] : []));
  const uncalled = stubbed.filter(({ id }) => !called.includes(id));
  const evicted = uncalled.length > 0 ? await journal.evicted : 0;
  // A call may be among the evicted requests.
  const how =
    evicted === 0
      ? 'was not called.'
      : `has no call in the journal, which no longer has ${count(evicted, 'older request')}.`;
  return [
    ...arranged
      .filter(({ fired, times }) => (times === 'always' ? fired === 0 : fired < times))
      .map(({ id, explanation }) => `Fault ${id}: ${explanation}`),
    ...uncalled.map(({ id, method, path }) => `Stub ${id}: ${method} ${path} ${how}`),
  ];
}

export async function describePending(account: AnyAccount): Promise<string> {
  const pending = await listPending(account);
  return pending.length === 0
    ? ''
    : `\nStill pending: faults that have yet to fire, and stubs that were not called\n${inset(pending)}`;
}

/** Node's own clock, which jest never fakes. Other runners fake it, but not before this is read. */
const RealDate = runInThisContext('Date') as DateConstructor;
const { now } = RealDate;

/** Unlike `watchStrays`, ignores other accounts: they may belong to tests in other workers. */
export function watchSharedStrays({ journal }: RemoteServer): () => Promise<string> {
  // The mock uses the machine's time, whatever time the test has faked.
  const since = new RealDate(now()).toISOString();
  const title = 'Requests that reached no account meanwhile, perhaps from another worker';
  return async () => titled(title, await journal.list({ since }, REPORTED));
}

/** Watches for requests that miss the tests' accounts, such as those with a wrong path or token. */
export function watchStrays(server: MockServer, given: ReadonlySet<string>): () => string {
  const seen = new Map(journalsOf(server, given).map(([, each]) => [each, lastIdOf(each)]));
  return () =>
    journalsOf(server, given)
      .map(([title, journal]) => {
        const before = seen.get(journal) ?? 0;
        // When an account is reset, the ids of its requests start at 1 again.
        const after = before <= lastIdOf(journal) ? before : 0;
        const fresh = journal.list(undefined, REPORTED).filter(({ id }) => id > after);
        return titled(title, fresh);
      })
      .join('');
}

function journalsOf(
  server: MockServer,
  given: ReadonlySet<string>,
): (readonly [title: string, JournalControl])[] {
  const others = server.tokens().filter((token) => !given.has(token));
  return [
    ['Requests that reached no account', server.journal],
    ...others.map((token) => {
      const title = `Requests to the account '${labelOf(token, sign)}', which belongs to no test`;
      return [title, server.account(token).journal] as const;
    }),
  ];
}

function lastIdOf(journal: JournalControl): number {
  return journal.list().at(-1)?.id ?? 0;
}

function titled(title: string, requests: readonly JournalRequest[]): string {
  return requests.length === 0 ? '' : `\n${title}\n${inset(lastFirst(requests))}`;
}

function lastFirst(requests: readonly JournalRequest[]): string[] {
  return requests.toReversed().flatMap(linesOf);
}

function inset(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}

function linesOf({ id, method, path, query, ...request }: JournalRequest): string[] {
  const target = query === undefined ? path : `${path}?${query}`;
  const { body, status = 'no response', decision, decisionValue, detail } = request;
  const rested = decision === undefined ? '' : ` by ${decision}=${decisionValue}`;
  return [
    `${id}. ${method} ${cut(target)} -> ${status}${rested}`,
    ...(body === undefined ? [] : [`   sent ${shown(body)}`]),
    ...(detail === undefined ? [] : [`   ${cut(detail)}`]),
  ];
}
