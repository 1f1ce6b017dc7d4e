import { useMemo } from 'preact/hooks';
import { call, NO_ACCOUNT, type Schemas } from '../connection/call.js';
import { type StreamedRequest, targetOf } from '../connection/request-log.js';
import type { Mock } from '../connection/use-mock.js';
import { type Option, SearchField, Segments, useEntered } from '../parts/controls.js';
import { hrefOf } from '../parts/route.js';
import { Ago, count, formatNumber } from '../parts/texts.js';
import { Errors } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';

type Row = Schemas['CoverageRow'];

/** Requests touch more at any time. */
const LOOK_MS = 2_000;

const isTouched = ({ count: touched, isReachable }: Row) => isReachable && touched > 0;
const isLeft = ({ count: touched, isReachable }: Row) => isReachable && touched === 0;
const STATES: readonly (readonly [words: string, has: (row: Row) => boolean, meaning: string])[] = [
  ['Everything', () => true, ''],
  ['Touched', isTouched, 'By one request or more'],
  ['Not touched', isLeft, 'By no request yet'],
  ['Not reachable', ({ isReachable }) => !isReachable, 'The decisions in force rule it out'],
];

/** What of the contract requests have touched, and what not: by operation, and of the decisions. */
export function CoverageView({ mock: { accounts, log } }: { readonly mock: Mock }) {
  const ofServer = useEntered<string>('scope of coverage', 'account');
  const state = useEntered('state of coverage', 'Everything');
  const search = useEntered('search of coverage', '');
  const own = ofServer.value === 'account' ? accounts.account?.id : undefined;
  const { value, error } = useLoaded(
    () => call<Schemas['Coverage']>('/coverage', { account: own ?? NO_ACCOUNT }),
    own ?? NO_ACCOUNT,
    { everyMs: LOOK_MS },
  );
  const last = useMemo(() => lastTouches(value?.rows ?? [], log.list(own ?? 'all')), [value]);
  const [, has = () => true] = STATES.find(([words]) => words === state.value) ?? [];
  const text = search.value.toLowerCase();
  const rows = value?.rows ?? [];
  const shown = rows.filter(
    (row) => has(row) && `${row.of} ${row.row}`.toLowerCase().includes(text),
  );
  return (
    <>
      <h2 class="hidden">Coverage</h2>
      <search class="bar">
        <Segments
          label="Requests of"
          {...ofServer}
          value={own === undefined ? 'server' : 'account'}
          options={[
            ...(accounts.account ? [['account', 'This account'] as const] : []),
            [
              'server',
              'Whole server',
              'All requests since the start, whatever was reset or closed',
            ],
          ]}
        />
        <Segments
          label="Rows"
          {...state}
          options={STATES.map(
            ([words, of, meaning]): Option => [
              words,
              `${words} ${rows.filter(of).length}`,
              meaning,
            ],
          )}
        />
        <SearchField label="Search" {...search} />
        <span class="group" role="status">
          <Share rows={rows} />
        </span>
      </search>
      <Errors sentences={[error]} />
      {value && !rows.some(isTouched) && (
        <p class="empty">
          No request has touched anything yet. <a href="#api">Try an operation</a>
        </p>
      )}
      {[...new Set(shown.map(({ of }) => of))].map((of) => (
        <section key={of} class="panel coverage" aria-label={of}>
          <div class="bar">
            <h3>{of}</h3>
            <Share rows={rows.filter((row) => row.of === of)} />
          </div>
          <ul>
            {shown
              .filter((row) => row.of === of)
              .map((row) => (
                <RowItem key={row.row} row={row} last={last.get(row)} />
              ))}
          </ul>
        </section>
      ))}
      {value && shown.length === 0 && <p class="empty">No row is like this.</p>}
    </>
  );
}

/** How many of the rows that can be reached are touched. */
function Share({ rows }: { readonly rows: readonly Row[] }) {
  const touched = rows.filter(isTouched).length;
  const reachable = touched + rows.filter(isLeft).length;
  const percent = Math.floor((100 * touched) / (reachable || 1));
  return (
    <>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="10" />
        <rect width={percent} height="10" />
      </svg>
      <span class="faint">
        {touched} of {count(reachable, 'row')}, {percent} %
      </span>
    </>
  );
}

interface ItemProps {
  readonly row: Row;
  /** The last request that is known to have touched it. */
  readonly last: StreamedRequest | undefined;
}

function RowItem({ row, last }: ItemProps) {
  const { row: name, count: touched, isReachable, triedAgain, noFurther } = row;
  return (
    <li class={isReachable ? '' : 'faint'}>
      {isTouched(row) ? (
        <span class="chip good" title={count(touched, 'request')}>
          {formatNumber(touched)}×
        </span>
      ) : (
        <span class={isReachable ? 'chip warn' : 'chip'}>
          {isReachable ? 'not touched' : 'not reachable'}
        </span>
      )}
      <span>
        {name}
        {touched > 0 && triedAgain !== undefined && (
          <span class="faint">
            , tried again {triedAgain}, no further one {noFurther}
          </span>
        )}
        {last && (
          <a class="line" href={hrefOf('requests', last.account ?? NO_ACCOUNT, last.id)}>
            {last.method} {targetOf(last)}, <Ago at={last.at} />
          </a>
        )}
      </span>
    </li>
  );
}

/** The last of the requests that the page knows, the newest first, to touch each row. */
function lastTouches(rows: readonly Row[], requests: readonly StreamedRequest[]) {
  return new Map(
    rows.filter(isTouched).map((row) => {
      const touches = touching(row);
      return [row, requests.find(touches)] as const;
    }),
  );
}

/** Whether a request touches a row, as far as its entry in the journal says. */
function touching({ of, row }: Row): (request: StreamedRequest) => boolean {
  if (of === 'decisions')
    return ({ decision, decisionValue }) => row === `${decision}=${decisionValue}`;
  const [, name = '', kind = '', bound] = ROW.exec(row) ?? [];
  return (request) => {
    if (request.operationId !== of) return false;
    const value = request.parameters?.[name];
    const number = value === '' ? Number.NaN : Number(value);
    if (row === 'called') return true;
    if (name === 'status') return request.status === Number(kind);
    if (kind === 'given' || kind === 'left out')
      return (value !== undefined) === (kind === 'given');
    if (kind === 'below') return number < Number(bound);
    return kind === 'above' ? number > Number(bound) : number === Number(bound);
  };
}

/** Rows of statuses and of parameters. */
const ROW = /^(\w+) (\d+|given|left out|at its \w+,|below|above)(?: (\d+))?$/;
