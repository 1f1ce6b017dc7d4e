import { useMemo } from 'preact/hooks';
import { call, NO_ACCOUNT, type Schemas } from '../connection/call.js';
import { addressOf, type StreamedRequest } from '../connection/request-log.js';
import { type Mock, useAllJournals } from '../connection/use-mock.js';
import { hasWords, type Option, SearchField, Segments } from '../parts/controls.js';
import { count, formatNumber } from '../parts/format.js';
import { hrefOf, useAddressed } from '../parts/route.js';
import { Errors } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';
import { callOf } from '../requests/request-table.js';

type Row = Schemas['CoverageRow'];

const isTouched = ({ count: touched, isReachable }: Row) => isReachable && touched > 0;
const isLeft = ({ count: touched, isReachable }: Row) => isReachable && touched === 0;
const STATES: readonly (readonly [words: string, has: (row: Row) => boolean, title?: string])[] = [
  ['Everything', () => true],
  ['Touched', isTouched],
  ['Not touched', isLeft],
  ['Not reachable', ({ isReachable }) => !isReachable, 'Ruled out by the decisions in force'],
];

export function CoverageView({ mock }: { readonly mock: Mock }) {
  const { accounts, log } = mock;
  const scope = useAddressed('of', 'account');
  const state = useAddressed('rows', 'Everything');
  const search = useAddressed('text');
  const own = scope.value === 'account' ? accounts.open?.id : undefined;
  const { value, error } = useLoaded(
    () => call<Schemas['Coverage']>('/coverage', { account: own ?? NO_ACCOUNT }),
    own ?? NO_ACCOUNT,
    { reloads: true },
  );
  useAllJournals(mock, own === undefined);
  const last = useMemo(() => lastTouches(value?.rows ?? [], log.list(own ?? 'all')), [value]);
  const [, has = () => true] = STATES.find(([words]) => words === state.value) ?? [];
  const rows = value?.rows ?? [];
  const shown = rows.filter((row) => has(row) && hasWords(`${row.of} ${row.row}`, search.value));
  return (
    <>
      <h2 class="hidden">Coverage</h2>
      <search class="bar">
        <Segments
          label="Requests of"
          {...scope}
          value={own === undefined ? 'server' : 'account'}
          options={[
            ...(accounts.open ? [['account', 'This account'] as const] : []),
            ['server', 'Whole server', 'Since the start, including reset and closed accounts'],
          ]}
        />
        <Segments
          label="Rows"
          {...state}
          options={STATES.map(
            ([words, of, title]): Option => [
              words,
              value ? `${words} ${rows.filter(of).length}` : words,
              title,
            ],
          )}
        />
        <SearchField label="Search" {...search} />
      </search>
      <p class="bar" role="status">
        {value ? <Share rows={rows} /> : !error && 'Loading…'}
      </p>
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
          {STATES.slice(1).map(([words, is]) => (
            <States
              key={words}
              words={words}
              rows={shown.filter((row) => row.of === of && is(row))}
              last={last}
            />
          ))}
        </section>
      ))}
      {value && shown.length === 0 && <p class="empty">No row matches.</p>}
    </>
  );
}

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
        {touched} of {count(reachable, 'row')}, {percent}%
      </span>
    </>
  );
}

interface StateProps {
  readonly words: string;
  readonly rows: readonly Row[];
  readonly last: ReturnType<typeof lastTouches>;
}

/** The rows in one state: touched rows with details, others only by name. */
function States({ words, rows, last }: StateProps) {
  if (rows.length === 0) return null;
  const isOfTouched = rows.some(isTouched);
  return (
    <div class={isOfTouched ? 'touched' : 'left'}>
      {!isOfTouched && <h4 class="faint">{words}</h4>}
      <ul aria-label={words}>
        {rows.map((row) =>
          isOfTouched ? (
            <TouchedRow key={row.row} row={row} last={last} />
          ) : (
            <li key={row.row} class="tag">
              {row.row}
            </li>
          ),
        )}
      </ul>
    </div>
  );
}

function TouchedRow({ row, last }: Pick<StateProps, 'last'> & { readonly row: Row }) {
  const { row: name, count: touched, triedAgain, noFurther } = row;
  const by = last.get(row);
  return (
    <li>
      <b class="number" title={count(touched, 'request')}>
        {formatNumber(touched)}×
      </b>
      <span>
        {name}
        {triedAgain !== undefined && (
          <span class="faint">
            , tried again {triedAgain}, not tried again {noFurther}
          </span>
        )}
        {by && (
          <a class="line" href={hrefOf('requests', by.account ?? NO_ACCOUNT, addressOf(by))}>
            {callOf(by)}
          </a>
        )}
      </span>
    </li>
  );
}

/** The latest request that touched each row; `requests` must be newest first. */
function lastTouches(rows: readonly Row[], requests: readonly StreamedRequest[]) {
  return new Map(rows.filter(isTouched).map((row) => [row, requests.find(touching(row))] as const));
}

/** Whether a request touched a row, as far as its journal entry shows. */
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

/** Matches rows of statuses and of parameters. */
const ROW = /^(\w+) (\d+|given|left out|at its \w+,|below|above)(?: (\d+))?$/;
