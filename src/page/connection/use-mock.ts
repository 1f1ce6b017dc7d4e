import { useEffect, useMemo, useState } from 'preact/hooks';
import { AccountList } from './account-list.js';
import { adoptTokenOfFragment, call, NO_ACCOUNT, type Schemas } from './call.js';
import { type Connection, followRequests } from './follow-requests.js';
import { RequestLog } from './request-log.js';
import { Undo } from './undo.js';

export type Mock = ReturnType<typeof useMock>;

/**
 * How often to list the accounts even without requests: the control plane may have changed them.
 */
const LIST_EVERY_MS = 3_000;
/** How long the stream must have dropped no requests before the journal is read to fill the gap. */
const CALM_MS = 1_000;

export function useMock() {
  const [, draw] = useCount();
  const show = useMemo(() => oncePerFrame(draw), []);
  const log = useMemo(() => new RequestLog(), []);
  const accounts = useMemo(() => new AccountList(show), []);
  const undo = useMemo(() => new Undo(() => [accounts.noteWrite(), show()]), []);
  const [connection, setConnection] = useState<Connection>('connecting');
  const [refusal, setRefusal] = useState<string>();
  const [attempt, reconnect] = useCount();
  // Incremented whenever requests may have been missed.
  const [gaps, noteGap] = useCount();
  const id = accounts.account?.id;

  useEffect(() => {
    const ending = new AbortController();
    let calming: ReturnType<typeof setTimeout> | undefined;
    const onConnection = (is: Connection, reason?: string) => {
      setConnection(is);
      setRefusal(reason);
      if (is !== 'live') return;
      noteGap();
      accounts.noteConnected();
    };
    void followRequests(ending.signal, onConnection, (batch) => {
      log.add(batch);
      accounts.note(batch);
      show();
      if (batch.dropped === 0) return;
      clearTimeout(calming);
      calming = setTimeout(noteGap, CALM_MS);
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
    // Not earlier, or requests between the lists and the stream would be missed.
    void accounts.list();
    listJournal(log, NO_ACCOUNT).then(show);
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void accounts.list();
    }, LIST_EVERY_MS);
    return () => clearInterval(timer);
  }, [connection]);

  // Reads what accounts, such as those of failed tests, received before the page was opened.
  useEffect(() => {
    let isCurrent = connection === 'live';
    void (async () => {
      for (const one of accounts.shown.toReversed())
        if (isCurrent && one.requests > 0 && log.list(one.id).length === 0)
          await listJournal(log, one.id).then(show);
    })();
    return () => {
      isCurrent = false;
    };
  }, [connection, accounts.shown.length > 0]);

  useEffect(() => {
    if (id !== undefined && gaps > 0) listJournal(log, id).then(show);
  }, [id, gaps]);

  return { connection, refusal, accounts, log, undo, reconnect };
}

function useCount() {
  const [count, setCount] = useState(0);
  return [count, () => setCount((before) => before + 1)] as const;
}

/** Ignores failures: the stream shows whether the mock answers. */
function listJournal(log: RequestLog, account: string): Promise<void> {
  return call<Schemas['Journal']>('/requests', { account }).then(
    ({ requests }) => log.addListed(account, requests),
    () => undefined,
  );
}

function oncePerFrame(act: () => void): () => void {
  let planned = 0;
  return () => {
    cancelAnimationFrame(planned);
    planned = requestAnimationFrame(act);
  };
}
