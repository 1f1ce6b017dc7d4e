import { runInThisContext } from 'node:vm';
import type { JournalControl } from '../../accounts/account-control.js';
import { labelOf } from '../../accounts/account-name.js';
import type { JournalFilter } from '../../accounts/journal/journal-filter.js';
import type { JournalRequest } from '../../accounts/journal/journal-request.js';
import type { RemoteServer } from '../../client/connect-mock-server.js';
import type { MockServer } from '../../server/mock-server-interface.js';
import { sign } from '../../server/node-platform.js';
import { cut, shown } from '../../values/received-value.js';

/** A journal of this process or of another. */
export interface AnyJournal {
  list(filter?: JournalFilter): JournalRequest[] | Promise<JournalRequest[]>;
  readonly evicted: number | Promise<number>;
}

/** The requests that an account received and their responses, a line or two for each. */
export async function describeRequests(journal: AnyJournal): Promise<string> {
  const [evicted, requests] = await Promise.all([journal.evicted, journal.list()]);
  const lines = [
    ...(evicted > 0 ? [`${evicted} older requests were evicted`] : []),
    ...requests.flatMap(linesOf),
  ];
  return lines.length === 0 ? '  no request' : inset(lines);
}

/** The clock of Node, which jest never fakes; other runners fake the same one, but only later. */
const RealDate = runInThisContext('Date') as DateConstructor;
const { now } = RealDate;

/** From now on, the requests that reached no account of a mock that others use too. */
export function watchSharedStrays({ journal }: RemoteServer): () => Promise<string> {
  // The mock has the time of the machine, whatever time a test has made it.
  const since = new RealDate(now()).toISOString();
  const title = 'Requests that reached no account meanwhile, perhaps of another worker';
  return async () => titled(title, await journal.list({ since }));
}

/**
 * From now on, the requests that miss the accounts given to tests: a wrong path or token reaches no
 * account, or another. Empty if there are none.
 */
export function watchStrays(server: MockServer, given: ReadonlySet<string>): () => string {
  const seen = new Map(journalsOf(server, given).map(([title, each]) => [title, lastIdOf(each)]));
  return () =>
    journalsOf(server, given)
      .map(([title, journal]) => {
        const before = seen.get(title) ?? 0;
        // An account that was reset counts from one again.
        const after = before <= lastIdOf(journal) ? before : 0;
        const fresh = journal.list().filter(({ id }) => id > after);
        return titled(title, fresh);
      })
      .join('');
}

/** Every journal but those of the given accounts, each with a title. */
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
  return requests.length === 0 ? '' : `\n${title}\n${inset(requests.flatMap(linesOf))}`;
}

function inset(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}

function linesOf({ id, method, path, query, ...request }: JournalRequest): string[] {
  const target = query === undefined ? path : `${path}?${query}`;
  const { body, status = 'no answer', decision, decisionValue, detail } = request;
  const rested = decision === undefined ? '' : ` by ${decision}=${decisionValue}`;
  return [
    `${id}. ${method} ${cut(target)} -> ${status}${rested}`,
    ...(body === undefined ? [] : [`   sent ${shown(body)}`]),
    ...(detail === undefined ? [] : [`   ${cut(detail)}`]),
  ];
}
