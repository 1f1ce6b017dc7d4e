import { useEffect, useMemo, useState } from 'preact/hooks';
import { AccountList, type ListedAccount } from './account-list.js';
import { adoptTokenOfFragment, call, NO_ACCOUNT, type Schemas } from './call.js';
import { type Connection, followRequests } from './follow-requests.js';
import { MAX_OF_ALL, RequestLog } from './request-log.js';
import { Undo } from './undo.js';

export type Mock = ReturnType<typeof useMock>;

/**
 * How often to list the accounts even without requests: the control plane may have changed them.
 */
const LIST_EVERY_MS = 3_000;
/** How long the stream must have dropped no requests before the journal is read to fill the gap. */
const CALM_MS = 1_000;

/** Keeps in touch with the mock; `holds` says whether the account in view must stay. */
export function useMock(holds: boolean) {
  const [, draw] = useCount();
  const show = useMemo(() => oncePerFrame(draw), []);
  const log = useMemo(() => new RequestLog(), []);
  const accounts = useMemo(() => new AccountList(show), []);
  const undo = useMemo(() => new Undo(() => [accounts.noteWrite(), show()]), []);
  const [connection, setConnection] = useState<Connection>('connecting');
  const [refusal, setRefusal] = useState<string>();
  const [attempt, reconnect] = useCount();
  accounts.hold(holds);
  const { account } = accounts;

  useEffect(() => {
    const ending = new AbortController();
    let calming: ReturnType<typeof setTimeout> | undefined;
    const onConnection = (is: Connection, reason?: string) => {
      setConnection(is);
      setRefusal(reason);
      if (is !== 'live') return;
      log.noteGap();
      accounts.noteConnected();
    };
    const fillGap = () => {
      log.noteGap();
      show();
    };
    void followRequests(ending.signal, onConnection, (batch) => {
      log.add(batch);
      accounts.note(batch);
      show();
      if (batch.dropped === 0) return;
      clearTimeout(calming);
      calming = setTimeout(fillGap, CALM_MS);
    });
    return () => ending.abort();
  }, [attempt]);

  // Connects again when a control token is pasted into the address.
  useEffect(() => {
    const adopt = () => {
      if (adoptTokenOfFragment()) reconnect();
    };
    addEventListener('hashchange', adopt);
    return () => removeEventListener('hashchange', adopt);
  }, []);

  useEffect(() => {
    if (connection !== 'live') return;
    const look = () => {
      void accounts.list();
      // The stream of requests shows whether the mock answers.
      undo.check().catch(() => undefined);
    };
    // Not earlier, or requests between the lists and the stream would be missed.
    look();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') look();
    }, LIST_EVERY_MS);
    return () => clearInterval(timer);
  }, [connection]);

  const read = (owner: string) => {
    const reading = log.read(owner, () =>
      call<Schemas['Journal']>('/requests', { account: owner, query: { received: 'true' } }),
    );
    show();
    return reading.then(show);
  };
  useEffect(() => {
    log.inView = account?.id;
    if (connection !== 'live') return;
    for (const owner of [account?.id, NO_ACCOUNT])
      if (owner !== undefined && log.readingOf(owner) === 'not asked') void read(owner);
  });
  useEffect(() => {
    if (account) undo.noteAccount(account);
  }, [account]);

  return { connection, refusal, accounts, log, undo, reconnect, read };
}

function useCount() {
  const [count, setCount] = useState(0);
  return [count, () => setCount((before) => before + 1)] as const;
}

/** About how many requests of all accounts to read, and how many more each time that is asked. */
const READ_AT_ONCE = 1_000;

/**
 * Reads journals of the listed accounts that were not read yet, one after the other, while they are
 * wanted: those of the accounts that were asked last, until they have as many requests as wanted.
 */
export function useAllJournals({ accounts, connection, log, read }: Mock, isWanted: boolean) {
  const isLive = connection === 'live' && accounts.state !== 'loading';
  const [wanted, setWanted] = useState(READ_AT_ONCE);
  const [done, setDone] = useState('');
  const due = `${log.gaps} ${wanted}`;
  useEffect(() => {
    let isCurrent = isWanted && isLive;
    void (async () => {
      // The newest last, because those that were read first are forgotten first.
      for (const { id } of latestOf(accounts.shown, wanted).toReversed())
        if (isCurrent && log.readingOf(id) === 'not asked') await read(id);
      if (isCurrent) setDone(due);
    })();
    return () => {
      isCurrent = false;
    };
  }, [isWanted, isLive, due]);
  const isLeft = accounts.shown.some(
    ({ id, requests }) => requests > 0 && log.readingOf(id) === 'not asked',
  );
  return {
    isReading: isWanted && done !== due,
    /** Reads more; undefined if there is no more, or the page keeps no more. */
    readMore: isLeft && wanted < MAX_OF_ALL ? () => setWanted(wanted + READ_AT_ONCE) : undefined,
  };
}

/** The accounts that were asked last, latest first, which have so many requests together. */
function latestOf(accounts: readonly ListedAccount[], wanted: number): readonly ListedAccount[] {
  let before = 0;
  return accounts
    .filter(({ requests }) => requests > 0)
    .sort((one, other) => (other.lastRequestAt ?? '').localeCompare(one.lastRequestAt ?? ''))
    .filter(({ requests }) => {
      const isWanted = before < wanted;
      before += requests;
      return isWanted;
    });
}

function oncePerFrame(act: () => void): () => void {
  let planned = 0;
  return () => {
    cancelAnimationFrame(planned);
    planned = requestAnimationFrame(act);
  };
}
