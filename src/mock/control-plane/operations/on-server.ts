import { invalidCursor } from '../../../core/billing/cursor.js';
import { ProblemError } from '../../../core/errors/problem-error.js';
import type { OpenApiDocument } from '../../../core/openapi/route-table.js';
import type { Account } from '../../accounts/account.js';
import type { Accounts } from '../../accounts/account-registry.js';
import type { ClosedAccount } from '../../accounts/closed-accounts.js';
import type { OperationOf, Route } from '../../client/control-routes.js';
import type { Coverage } from '../../coverage/coverage.js';

type ParametersOf<To extends Route> = OperationOf<To>['parameters'];
type Query<To extends Route> = NonNullable<ParametersOf<To>['query']>;

export interface ServerInput<To extends Route = Route> {
  readonly path: NonNullable<ParametersOf<To>['path']>;
  readonly query: Query<To>;
  /** Returns the token of the account that the request names; throws if it names none. */
  readonly token: () => string;
  readonly document: OpenApiDocument;
  /** What requests have touched. */
  readonly coverage: () => Coverage;
  /** Ends the process after the response; undefined if the process does anything else. */
  readonly stop: (() => void) | undefined;
}

export type ServerOperation<To extends Route = Route> = (
  accounts: Accounts,
  input: ServerInput<To>,
) => object;

/** How many accounts a page has by default. */
const A_PAGE = 100;
/** A cursor is the number of an account. */
const CURSOR = /^[1-9][0-9]{0,14}$/;
const NEVER_ISSUED = 'this mock never issued it';

/** The operations on the server as a whole, which open no account. */
export const SERVER_OPERATIONS = {
  'DELETE /account': (accounts, { token }) => ({ closed: accounts.close(token()) }),
  'POST /accounts/reset': (accounts) => ({ accounts: accounts.resetAll() }),
  'GET /accounts'(accounts, { query: { limit = A_PAGE, cursor, ...query } }) {
    if (cursor !== undefined && !CURSOR.test(cursor)) throw invalidCursor(cursor, NEVER_ISSUED);
    const { all, failed } = accounts;
    const before = cursor === undefined ? Number.POSITIVE_INFINITY : Number(cursor);
    const wanted = query.text?.toLowerCase() ?? '';
    const named = query.text === undefined ? undefined : accounts.find(query.text);
    const following = (query.failed ? failed : all).filter((account) => {
      const { number, name, id } = account.owner;
      return (
        number < before &&
        (query.closed || !('closedAt' in account)) &&
        (account === named || name.toLowerCase().includes(wanted) || id.includes(wanted))
      );
    });
    const page = following.slice(-limit).reverse();
    const hasMore = following.length > page.length;
    return {
      accounts: page.map(listed),
      total: accounts.tokens.length,
      failed: failed.length,
      ...(hasMore && { nextCursor: String(page.at(-1)?.owner.number) }),
    };
  },
  'DELETE /accounts'(accounts, { query: { prefix, all } }) {
    if ((prefix === undefined) === (all === undefined)) throw unclear(all);
    return {
      closed: prefix === undefined ? accounts.closeAll() : accounts.closeWithPrefix(prefix),
    };
  },
  'GET /coverage': (_accounts, { coverage }) => coverage(),
  'GET /control.openapi.json': (_accounts, { document }) => document,
  'POST /stop'(_accounts, { stop }) {
    if (!stop) throw notStartedByCommand();
    stop();
    return { stopping: true };
  },
} satisfies { readonly [To in Route]?: ServerOperation<To> };

/** An account as `GET /accounts` lists it. */
export function listed(account: Account | ClosedAccount): object {
  const { owner, store, journal, openedAt } = account;
  const { id, name, run, test, warning } = owner;
  const { received, refused, lastReceivedAt } = journal;
  return {
    id,
    name,
    ...(run !== undefined && { run }),
    dataset: store.bases.fingerprint,
    datasetName: store.bases.name,
    openedAt: openedAt.toISOString(),
    ...('closedAt' in account
      ? { closedAt: account.closedAt.toISOString() }
      : account.reloadedAt && { reloadedAt: account.reloadedAt.toISOString() }),
    requests: received,
    refused,
    ...(lastReceivedAt && { lastRequestAt: lastReceivedAt.toISOString() }),
    changes: store.changeCount,
    ...(test && { test }),
    ...(warning !== undefined && { warning }),
  };
}

function notStartedByCommand(): ProblemError {
  return new ProblemError(
    'conflict',
    'This mock runs inside another program, so no request can stop it; expected a mock in a process of its own, as `npx usage-billing-mock` starts it. Stop it where it was created, with server.stop() in the library.',
  );
}

function unclear(all: Query<'DELETE /accounts'>['all']): ProblemError {
  const received = all ? 'Both prefix and all were received' : 'No parameter was received';
  return new ProblemError(
    'invalid-request',
    `${received}; expected either prefix=… for the accounts whose tokens begin with it, or all=true for every account${all ? ', not both' : ''}.`,
  );
}
