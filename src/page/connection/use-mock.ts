import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { components } from '../../generated/control.js';
import { onceCalm, oncePerFrame } from '../parts/act-once.js';
import { CallError, call } from './call.js';
import { type Connection, followRequests } from './follow-requests.js';
import { NO_ACCOUNT, RequestLog } from './request-log.js';

/** An account as the control plane lists it. */
export type ListedAccount = components['schemas']['ListedAccount'];

type Accounts = components['schemas']['Accounts'];
type Journal = components['schemas']['Journal'];

/** What every view sees of the mock. */
export interface Mock {
  readonly connection: Connection;
  /** True if the control plane wants a token that this tab does not have. */
  readonly needsToken: boolean;
  readonly accounts: readonly ListedAccount[];
  /** The account that is looked at; none before the first is opened. */
  readonly account: ListedAccount | undefined;
  /** Whether the account follows that of the last request. */
  readonly follows: boolean;
  readonly log: RequestLog;
  /** Counts up with each change of the log. */
  readonly news: number;
  choose(id: string): void;
  follow(follows: boolean): void;
  /** Starts again, with a control token that was entered. */
  reconnect(): void;
}

/** The account is switched no more often than this. */
const SWITCH_MS = 1_500;
/** The accounts are listed no more often than this. */
const LIST_MS = 1_000;
/** The accounts are listed again although no request came: the control plane may have changed them. */
const LOOK_MS = 3_000;
/** The journal is read after requests that came too fast once there were none for so long. */
const CALM_MS = 1_000;

/** Follows the mock: its accounts and its requests. */
export function useMock(): Mock {
  const log = useMemo(() => new RequestLog(), []);
  const [connection, setConnection] = useState<Connection>('connecting');
  const [needsToken, setNeedsToken] = useState(false);
  const [accounts, setAccounts] = useState<readonly ListedAccount[]>([]);
  const [chosen, setChosen] = useState<string>();
  const [follows, setFollows] = useState(true);
  const [news, setNews] = useState(0);
  const [attempt, setAttempt] = useState(0);
  // Counts the times before which requests may have been missed.
  const [gaps, setGaps] = useState(0);
  const following = useRef({ follows: true, switchedAtMs: 0, last: '' });

  const account = accounts.find(({ id }) => id === chosen) ?? lastAsked(accounts);
  const id = account?.id;
  following.current.follows = follows;

  // Another attempt connects again.
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const list = createListing(setAccounts, signal);
    const show = oncePerFrame(() => setNews((count) => count + 1));
    const noteGap = () => setGaps((count) => count + 1);
    const noteGapLater = onceCalm(noteGap, CALM_MS);
    const refused = (error: unknown) => {
      if (error instanceof CallError && error.status === 403) setNeedsToken(true);
    };
    void followRequests(
      {
        onConnection(now, reason) {
          setConnection(now);
          if (now !== 'live') return refused(reason);
          setNeedsToken(false);
          // Only now, so that nothing is missed between the lists and the stream.
          noteGap();
          list().catch(refused);
          listServerJournal(log).then(show, refused);
        },
        onBatch(batch) {
          log.add(batch);
          show();
          if (batch.dropped > 0) noteGapLater();
          list().catch(refused);
          const last = batch.requests.findLast((request) => request.account !== undefined);
          if (last?.account !== undefined) followTo(last.account, following.current, setChosen);
        },
      },
      signal,
    );
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') list().catch(refused);
    }, LOOK_MS);
    return () => {
      clearInterval(timer);
      ending.abort();
    };
  }, [attempt, log]);

  useEffect(() => {
    if (id === undefined || gaps === 0) return;
    call<Journal>('/requests', { account: id }).then(
      ({ requests }) => {
        log.addListed(id, requests);
        setNews((count) => count + 1);
      },
      () => undefined,
    );
  }, [id, log, gaps]);

  return {
    ...{ connection, needsToken, accounts, account, follows, log, news },
    choose(next) {
      setChosen(next);
      setFollows(false);
    },
    follow: setFollows,
    reconnect: () => setAttempt((count) => count + 1),
  };
}

/** The account that was asked last; of those that nothing has asked, the newest. */
function lastAsked(accounts: readonly ListedAccount[]): ListedAccount | undefined {
  const [first, ...others] = accounts;
  const askedAt = (one: ListedAccount) => one.lastRequestAt ?? '';
  return others.reduce(
    (last, one) => (last === undefined || askedAt(one) > askedAt(last) ? one : last),
    first,
  );
}

function followTo(
  account: string,
  state: { readonly follows: boolean; switchedAtMs: number; last: string },
  choose: (id: string) => void,
): void {
  if (!state.follows || state.last === account) return;
  if (performance.now() - state.switchedAtMs < SWITCH_MS && state.last !== '') return;
  state.last = account;
  state.switchedAtMs = performance.now();
  choose(account);
}

async function listServerJournal(log: RequestLog): Promise<void> {
  const { requests } = await call<Journal>('/requests?of=server');
  log.addListed(NO_ACCOUNT, requests);
}

/** Lists the accounts page by page, at most once in a while, and once more if it was asked meanwhile. */
function createListing(show: (accounts: readonly ListedAccount[]) => void, signal: AbortSignal) {
  let listing: Promise<void> | undefined;
  let isWanted = false;
  async function run(): Promise<void> {
    const accounts: ListedAccount[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: Accounts = await call<Accounts>(`/accounts?limit=1000${query}`, { signal });
      accounts.push(...page.accounts);
      cursor = page.nextCursor;
    }
    show(accounts);
    await new Promise((resolve) => setTimeout(resolve, LIST_MS));
  }
  return function list(): Promise<void> {
    isWanted = true;
    listing ??= (async () => {
      try {
        while (isWanted && !signal.aborted) {
          isWanted = false;
          await run();
        }
      } finally {
        listing = undefined;
      }
    })();
    return listing;
  };
}
