import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ViewProps } from '../behaviour/use-behaviour.js';
import { call, NO_ACCOUNT, type Schemas } from '../connection/call.js';
import { addressOf, isNamed, type StreamedRequest, targetOf } from '../connection/request-log.js';
import { useAllJournals } from '../connection/use-mock.js';
import { Button, Choice, type Option, SearchField, Segments } from '../parts/controls.js';
import { clockTime, count, download, formatNumber } from '../parts/format.js';
import { useKept } from '../parts/kept.js';
import { go, useAddressed } from '../parts/route.js';
import { Errors, useAction } from '../parts/use-action.js';
import { useOperations } from '../reference/document.js';
import { FailedTest } from './failed-test.js';
import { FirstRequest } from './first-request.js';
import { RequestDetail } from './request-detail.js';
import { RequestTable } from './request-table.js';

/** How many rows to draw until more are asked for. */
const ROWS = 50;

interface Filter {
  readonly operationId: string;
  readonly status: string;
  readonly text: string;
}

const STATUSES: readonly Option[] = [
  ['', 'any status'],
  ['2', '2xx OK'],
  ['4', '4xx refused'],
  ['5', '5xx failed'],
  ['none', 'no response'],
];

export function RequestsView({ mock, behaviour, route }: ViewProps) {
  const [, owner = '', opened = ''] = route;
  const { log, accounts } = mock;
  const { account } = accounts;
  const fields = {
    operationId: useAddressed('operation'),
    status: useAddressed('status'),
    text: useAddressed('text'),
  };
  const [operationId, status, text] = Object.values(fields).map(({ value }) => value);
  const chosen = useAddressed('of');
  const [cleared, setCleared] = useKept<Readonly<Record<string, number>>>('cleared', {});
  const [rows, setRows] = useKept('rows', ROWS);
  const [paused, setPaused] = useState<readonly StreamedRequest[]>();
  const action = useAction();
  const operations = useOperations();

  const others = log.list(NO_ACCOUNT);
  const hasOnlyOthers = accounts.state === 'none' && others.length > 0;
  const lane = chosen.value || (hasOnlyOthers ? NO_ACCOUNT : 'account');
  const own = account?.id ?? '';
  const source = lane === 'account' ? own : lane;
  const all = log.list(source);
  const isReadingAll = useAllJournals(mock, lane === 'all');
  // Without an account, requests that reached none may be all that there is.
  const journal = source || NO_ACCOUNT;
  const known = log.readingOf(journal);
  const state = lane === 'account' ? accounts.state : 'open';
  const isUnread = known === 'not asked' || known === 'loading';
  const isLoading = state === 'loading' || (lane === 'all' ? isReadingAll : isUnread);
  const isFailed = lane !== 'all' && known === 'failed';
  const isLoaded = !isFailed && !isLoading && state !== 'gone';
  // At the top, where rows keep arriving, draw only a few.
  const isScrolled = useScrolled(() => setRows(ROWS));
  const held = useRef({ source, all });
  // Rows must not move while somebody reads further down.
  if (!isScrolled || held.current.source !== source) held.current = { source, all };
  const shown = paused ?? held.current.all;
  const newer = isScrolled ? newerThan(shown[0], all) : 0;
  const visible = useMemo(() => {
    const clearedTo = (of = NO_ACCOUNT) => {
      const to = cleared[of] ?? 0;
      // A journal that was reset numbers its requests from 1 again.
      return to > log.lastOf(of) ? 0 : to;
    };
    return shown.filter(({ account: of, id }) => id > clearedTo(of));
  }, [shown, cleared]);
  const hidden = shown.length - visible.length;
  const passing = useMemo(() => {
    const filter = { operationId, status, text } as Filter;
    return visible.filter((request) => passes(filter, request));
  }, [visible, operationId, status, text]);
  const request = log.list(owner).find((one) => isNamed(opened, one));
  const before = lane === 'account' ? accounts.beforeRestart : undefined;
  const earlier = before === undefined ? [] : log.list(before);
  const isEmpty = all.length + passing.length === 0 && isLoaded;
  const countOf = (of: string) => (log.readingOf(of) === 'loaded' ? log.list(of).length : '');
  const lanes: Option[] = [
    ['account', `This account ${countOf(own)}`],
    [NO_ACCOUNT, `Wrong path or token ${countOf(NO_ACCOUNT)}`, 'Requests that reached no account'],
    ['all', 'All', 'Of the listed accounts, and of no account'],
  ];

  const open = (one: StreamedRequest, isMove: boolean) =>
    go(['requests', one.account ?? NO_ACCOUNT, addressOf(one)], { replaces: isMove });
  const nameOf = ({ account: of }: StreamedRequest) => accounts.nameOf(of);
  const table = useMemo(
    () =>
      passing.length > 0 && (
        <RequestTable
          requests={passing.slice(0, rows)}
          opened={request && `${owner} ${request.id}`}
          onOpen={open}
          nameOf={lane === 'all' ? nameOf : undefined}
          faults={lane === 'account' ? (behaviour.value?.faults ?? []) : []}
        />
      ),
    // At the top, always redraw, to update how long ago each request was.
    [passing, rows, owner, request?.id, lane, isScrolled || Date.now()],
  );
  const clear = () => {
    const owners = lane === 'all' ? log.owners : [source];
    const last = owners.map((of) => [of, log.lastOf(of)]);
    setCleared({ ...cleared, ...Object.fromEntries(last) });
    setPaused(undefined);
  };
  const showEverything = () => {
    for (const { onValue } of Object.values(fields)) onValue('');
  };
  return (
    <>
      <h2 class="hidden">Requests</h2>
      {account?.failure !== undefined && (
        <FailedTest
          key={own}
          {...account}
          requests={log.readingOf(own) === 'loaded' ? log.list(own) : []}
        />
      )}
      <search class="bar">
        <Segments label="Requests of" options={lanes} value={lane} onValue={chosen.onValue} />
        <Choice
          label=""
          aria-label="Operation"
          options={[['', 'any operation'], ...operations]}
          {...fields.operationId}
        />
        <Choice label="" aria-label="Status" options={STATUSES} {...fields.status} />
        <SearchField label="Search" {...fields.text} />
        <span class="group">
          <span role="status" class="faint">
            {isLoading && all.length > 0 && 'Loading…'}
            {isLoaded && passing.length !== all.length && `${passing.length} of `}
            {isLoaded && count(all.length, 'request')}
          </span>
          <Button
            aria-pressed={paused !== undefined}
            onClick={() => setPaused(paused ? undefined : all)}
          >
            Pause
          </Button>
          <Button
            disabled={passing.length === 0}
            title="Hides these requests; the mock keeps them"
            onClick={clear}
          >
            Clear
          </Button>
          {(['HAR', 'JSON'] as const).map((format) => (
            <Button
              key={format}
              aria-label={`Download ${format}`}
              title={`Download as ${format}`}
              disabled={all.length === 0}
              onClick={() => action.run(() => save(lane === 'all' ? log.owners : [source], format))}
            >
              ↓ {format}
            </Button>
          ))}
        </span>
      </search>
      <Errors sentences={action.errors} />
      {log.dropped > 0 && (
        <p class="note">
          {count(log.dropped, 'request')} came too fast to show. Those of this account are loaded
          once requests slow down.
        </p>
      )}
      <div class={opened === '' ? '' : 'split'}>
        <div>
          {newer > 0 && (
            <Button class="newer" onClick={() => scrollTo(0, 0)}>
              Show {newer} newer
            </Button>
          )}
          {table}
          {visible.length > 0 && passing.length === 0 && (
            <p class="empty">
              No request matches the filter. <Button onClick={showEverything}>Show all</Button>
            </p>
          )}
          {passing.length > rows && (
            <Button onClick={() => setRows(rows + ROWS)}>Show more of {passing.length}</Button>
          )}
          {hidden > 0 && (
            <Button onClick={() => setCleared({})}>Show {formatNumber(hidden)} earlier</Button>
          )}
          {accounts.restart && earlier.length > 0 && (
            <>
              <p class="note" role="status">
                The mock restarted at {clockTime(accounts.restart.at)}. It no longer has the
                requests below.
              </p>
              <RequestTable
                requests={earlier.slice(0, rows)}
                opened={undefined}
                onOpen={undefined}
                nameOf={undefined}
                faults={[]}
              />
            </>
          )}
          {isLoading && all.length === 0 && <p class="empty">Loading…</p>}
          {isFailed && (
            <p class="empty">
              The requests cannot be loaded: {log.errorOf(journal)}{' '}
              <Button onClick={() => mock.read(journal)}>Try again</Button>
            </p>
          )}
          {isEmpty && accounts.state === 'none' && <FirstRequest />}
          {isEmpty && account && lane === 'account' && (
            <p class="empty">
              {account.requests > 0
                ? 'The mock no longer keeps the requests of this account.'
                : 'This account has received no request since it was opened or reset.'}{' '}
              <a href="#api">Try an operation</a>
            </p>
          )}
          {isEmpty && lane === NO_ACCOUNT && account && (
            <p class="empty">No request had a wrong path or token.</p>
          )}
        </div>
        {opened !== '' && (
          <RequestDetail
            key={`${owner} ${opened}`}
            {...{ owner, opened, request }}
            later={log.list(owner)}
            undo={mock.undo}
            name={accounts.nameOf(owner === NO_ACCOUNT ? undefined : owner)}
            onClose={() => go(['requests'])}
          />
        )}
      </div>
    </>
  );
}

/** Up to here, the list counts as being at its top. */
const TOP_PX = 60;

/** Whether the page is scrolled down; calls `onTop` as soon as it no longer is. */
function useScrolled(onTop: () => void): boolean {
  const [isScrolled, setScrolled] = useState(false);
  const last = useRef(false);
  useEffect(() => {
    const update = () => {
      setScrolled(scrollY > TOP_PX);
      if (last.current && scrollY <= TOP_PX) onTop();
      last.current = scrollY > TOP_PX;
    };
    addEventListener('scroll', update, { passive: true });
    return () => removeEventListener('scroll', update);
  }, []);
  return isScrolled;
}

/** How many requests are newer than this one; all, if it is not among them. */
function newerThan(one: StreamedRequest | undefined, all: readonly StreamedRequest[]): number {
  const at = all.findIndex(({ id, account }) => id === one?.id && account === one.account);
  return at < 0 ? all.length : at;
}

function passes({ operationId, status, text }: Filter, request: StreamedRequest): boolean {
  const first = request.status === undefined ? 'none' : String(request.status)[0];
  return (
    (operationId === '' || request.operationId === operationId) &&
    (status === '' || first === status) &&
    (text === '' ||
      (targetOf(request) + JSON.stringify(request)).toLowerCase().includes(text.toLowerCase()))
  );
}

/** Downloads journals as an HTTP archive, or as the control plane lists them. */
async function save(owners: readonly string[], format: 'HAR' | 'JSON'): Promise<void> {
  const isHar = format === 'HAR';
  const read = (account: string) =>
    call<Schemas['Har'] & Schemas['Journal']>(isHar ? '/requests/har' : '/requests', { account });
  const [first, ...others] = await Promise.all(owners.map(read));
  if (!first) return;
  const whole = isHar
    ? { log: { ...first.log, entries: [first, ...others].flatMap(({ log }) => log.entries) } }
    : [first, ...others].flatMap(({ requests }) => requests);
  download(`requests.${format.toLowerCase()}`, 'application/json', JSON.stringify(whole, null, 2));
}
