import { useEffect, useMemo, useState } from 'preact/hooks';
import { AccountList } from './account-list.js';
import { call, NO_ACCOUNT, type Schemas } from './call.js';
import { adoptTokenOfFragment } from './control-token.js';
import { type Connection, followRequests } from './follow-requests.js';
import { RequestLog } from './request-log.js';

/** What every view sees of the mock. */
export interface Mock {
  readonly connection: Connection;
  /** Why the mock refuses this tab, if it does. */
  readonly refusal: string | undefined;
  readonly accounts: AccountList;
  readonly log: RequestLog;
  /** Starts again, with a control token that was entered. */
  reconnect(): void;
}

/** The accounts are listed again although no request came: the control plane may have changed them. */
const LOOK_MS = 3_000;
/** The journal is read after requests that came too fast once there were none for so long. */
const CALM_MS = 1_000;

/** Follows the mock: its accounts and its requests. */
export function useMock(): Mock {
  const [, setNews] = useState(0);
  const show = useMemo(() => oncePerFrame(() => setNews((count) => count + 1)), []);
  const log = useMemo(() => new RequestLog(), []);
  const accounts = useMemo(() => new AccountList(show), [show]);
  const { connection, refusal, gaps, reconnect } = useStream((batch) => {
    log.add(batch);
    accounts.note(batch);
    show();
  });
  const id = accounts.account?.id;

  useEffect(() => {
    if (connection !== 'live') return;
    // Only now, so that nothing is missed between the lists and the stream.
    void accounts.list();
    listJournal(log, NO_ACCOUNT).then(show);
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void accounts.list();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [connection, accounts, log, show]);

  useEffect(() => {
    if (id !== undefined && gaps > 0) listJournal(log, id).then(show);
  }, [id, log, gaps, show]);

  return { connection, refusal, accounts, log, reconnect };
}

/** Follows the requests, and starts again with each control token that is pasted into the address. */
function useStream(onBatch: (batch: Schemas['RequestBatch']) => void) {
  const [state, setState] = useState<Pick<Mock, 'connection' | 'refusal'>>({
    connection: 'connecting',
    refusal: undefined,
  });
  // Counts the times before which requests may have been missed.
  const [gaps, setGaps] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const reconnect = () => setAttempt((count) => count + 1);

  // Another attempt connects again.
  useEffect(() => {
    const ending = new AbortController();
    const noteGap = () => setGaps((count) => count + 1);
    const noteGapLater = onceCalm(noteGap, CALM_MS);
    void followRequests(
      {
        onConnection(connection, refusal) {
          setState({ connection, refusal });
          if (connection === 'live') noteGap();
        },
        onBatch(batch) {
          onBatch(batch);
          if (batch.dropped > 0) noteGapLater();
        },
      },
      ending.signal,
    );
    return () => ending.abort();
  }, [attempt]);

  useEffect(() => {
    const adopt = () => {
      if (adoptTokenOfFragment()) reconnect();
    };
    addEventListener('hashchange', adopt);
    return () => removeEventListener('hashchange', adopt);
  }, []);

  return { ...state, gaps, reconnect };
}

/** Adds what a journal has to the log; whether the mock answers, the stream shows. */
function listJournal(log: RequestLog, account: string): Promise<void> {
  return call<Schemas['Journal']>('/requests', { account }).then(
    ({ requests }) => log.addListed(account, requests),
    () => undefined,
  );
}

/** Calls once a frame, however often it is called. */
function oncePerFrame(act: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      act();
    });
  };
}

/** Calls once nothing has called it for a while. */
function onceCalm(act: () => void, calmMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, calmMs);
  };
}
