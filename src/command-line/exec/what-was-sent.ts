import { count } from '../../core/values/plural.js';
import type { MockServer } from '../../host/server/mock-interface.js';
import { COMMAND_VARIABLES } from '../../host/server/process/run-environment.js';
import { printable } from '../../host/terminal/wrap-text.js';
import { describeRequests } from '../../kits/account-of-test/describe-requests.js';
import type { Accounts } from '../../mock/accounts/account-registry.js';
import type { ClosedAccount } from '../../mock/accounts/closed-accounts.js';
import type { JournalControl } from '../../mock/accounts/journal/journal.js';

/** How much is shown of a command that failed and marked no test as failed. */
const MAX_ACCOUNTS = 5;
const MAX_REQUESTS = 20;

const NOT_MARKED =
  'usage-billing-mock: the command failed, but marked no test as failed (docs/languages.md), so here is what it sent, accounts with refusals first.';

/** Perhaps it did not get as far as its tests. */
const NOTHING_SENT = `usage-billing-mock: the command failed, and no request has reached a mock. If its tests ran, make them call ${COMMAND_VARIABLES.url} with the bearer token ${COMMAND_VARIABLES.token}; both are set.`;

const ALL_PASSED =
  'usage-billing-mock: the command failed, but every test whose outcome it reported has passed.';

function sentElsewhere(calls: number): string {
  return `usage-billing-mock: the command failed. It has sent no request to this mock, but ${count(calls, 'request')} to mocks that it started itself.`;
}

interface Mock {
  readonly server: MockServer;
  readonly accounts: Accounts;
}

/**
 * Describes what the failed tests have sent. If the command failed but marked no test as failed,
 * describes what each account has sent, those with refusals first, and then the requests that
 * reached no account. If there are none, says how many the mocks have received that the command has
 * started.
 */
export function whatWasSent(mock: Mock, hasFailed: boolean, countOthers: () => number): string {
  const stories = storiesOfTests(mock.accounts);
  if (stories.length > 0 || !hasFailed) return stories.join('');
  const others = storiesOfAccounts(mock);
  if (others.length > 0) return [`\n${NOT_MARKED}\n`, ...others].join('');
  if (mock.accounts.all.some(({ owner }) => owner.test !== undefined)) return `\n${ALL_PASSED}\n`;
  const calls = countOthers();
  return `\n${calls > 0 ? sentElsewhere(calls) : NOTHING_SENT}\n`;
}

/** A story for each test that failed, which the helpers and kits have marked. */
function storiesOfTests({ failed }: Accounts): string[] {
  return failed.map(({ owner: { test }, journal }) => {
    const what = `what ${[test?.file, test?.title].filter(Boolean).join(' › ')} sent`;
    return storyOf(what, journal, test?.message ?? '');
  });
}

function storiesOfAccounts({ server, accounts }: Mock): string[] {
  const called = accounts.all
    .filter(({ owner, journal }) => journal.received > 0 && owner.test === undefined)
    .sort((one, other) => rankOf(other) - rankOf(one) || lastOf(other) - lastOf(one));
  const shown: (readonly [what: string, Told])[] = called
    .slice(0, MAX_ACCOUNTS)
    .map(({ owner, journal }) => [`what ${owner.name} sent`, journal]);
  if (server.journal.count() > 0) shown.push(['what reached no account', server.journal]);
  return shown.map(([what, journal]) => storyOf(what, journal, '', MAX_REQUESTS));
}

type Called = Pick<ClosedAccount, 'journal'>;

function rankOf({ journal }: Called): number {
  return Number(journal.refused > 0);
}

function lastOf({ journal }: Called): number {
  return Number(journal.lastReceivedAt);
}

type Told = Pick<JournalControl, 'list' | 'evicted'>;

function storyOf(what: string, journal: Told, message: string, most?: number): string {
  const heading = `usage-billing-mock: ${what}, latest request first`;
  const lines = [heading, ...message.split('\n').filter(Boolean)].map(printable);
  const received = { requests: journal.list(), evicted: journal.evicted };
  return `\n${lines.join('\n')}\n${describeRequests(received, most)}\n`;
}
