import type { ViewProps } from '../behaviour/use-behaviour.js';
import type { AccountList, ListedAccount } from '../connection/account-list.js';
import { call, type Schemas } from '../connection/call.js';
import { Button, SearchField } from '../parts/controls.js';
import { Ago, count, formatNumber, partsOf } from '../parts/format.js';
import { hrefOf, useAddressed } from '../parts/route.js';
import { Errors, useAction } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';

/** The most tests that the mock lists at once. */
const MOST = 1_000;

type Test = Schemas['ListedTest'];
type Dismiss = (tests: readonly Test[]) => void;

/** Lists tests with their outcomes, by run and file; the run with the latest outcome comes first. */
export function TestsView({ mock: { accounts } }: ViewProps) {
  const search = useAddressed('text');
  const { value, error, reload } = useLoaded(loadTests, '', { reloads: true });
  const action = useAction(() => [reload(), void accounts.list()]);
  const dismiss: Dismiss = (tests) =>
    action.run(() =>
      Promise.all(tests.map(({ id }) => call(`/tests/${id}`, { method: 'DELETE' }))),
    );
  const text = search.value.toLowerCase();
  const tests = value?.tests ?? [];
  const found = tests
    .filter((test) => nameOf(test).toLowerCase().includes(text))
    .toSorted((one, other) => other.id - one.id);
  const open = (value?.open ?? []).filter(({ name }) => name.toLowerCase().includes(text));
  const runs = [...new Set([...found, ...open].map(({ run = '' }) => run))].map((run) => ({
    run,
    ended: found.filter((one) => (one.run ?? '') === run),
    failed: found.filter((one) => (one.run ?? '') === run && isFailed(one)),
    open: open.filter((one) => one.run === run),
  }));
  return (
    <>
      <h2 class="hidden">Tests</h2>
      <search class="bar">
        <SearchField label="Search tests" {...search} />
        <span class="faint">Each test with its latest outcome in each run.</span>
      </search>
      <Errors sentences={[error, ...action.errors]} />
      {runs.map(({ run, ended, failed, open }, nth) => (
        <section key={run} class="panel run" aria-label={run || 'Other tests'}>
          <div class="bar">
            <h3>
              {run || 'Other tests'}{' '}
              {ended[0] && (
                <span class="faint">
                  latest test <Ago at={ended[0].endedAt} />
                </span>
              )}
            </h3>
            {ended.length > 0 && <Outcome tests={ended} />}
            {open.length > 0 && <span class="chip">{open.length} running</span>}
            {failed.length > 1 && (
              <Button title="Forgets these failures" onClick={() => dismiss(failed)}>
                Dismiss {failed.length}
              </Button>
            )}
          </div>
          {run !== '' && runs[nth + 1]?.run && (
            <Changes {...{ ended }} before={runs[nth + 1]} isRunning={open.length > 0} />
          )}
          {open.length > 0 && (
            <ul class="list" aria-label="Running">
              {open.map((one) => (
                <OpenItem key={one.id} account={one} />
              ))}
            </ul>
          )}
          {[...Map.groupBy(ended, ({ file }) => file || 'No file')].map(([file, ofFile]) => (
            <details key={file} open={ofFile.some((one) => isFailed(one) || one.isRetried)}>
              <summary>
                <b>{file}</b> <Outcome tests={ofFile} />
              </summary>
              <ul class="list">
                {ofFile.toSorted(failedFirst).map((test) => (
                  <TestItem
                    key={test.id}
                    {...{ test, accounts }}
                    change={run === '' ? undefined : changeOf(test, runs[nth + 1]?.ended ?? [])}
                    onDismiss={dismiss}
                  />
                ))}
              </ul>
            </details>
          ))}
        </section>
      ))}
      {value && tests.length === 0 && value.open.length === 0 && (
        <p class="empty">
          No test has ended yet. Tests appear here if they use a test kit (Playwright, Vitest, or
          Jest with its test environment) or are marked by PUT /__control/account/test.
        </p>
      )}
      {runs.length === 0 && text !== '' && <p class="empty">No test has this in its name.</p>}
      {value && value.total > MOST && (
        <p class="note">
          {formatNumber(MOST)} of {count(value.total, 'outcome')} are listed: those of tests that
          failed last, then the newest.
        </p>
      )}
    </>
  );
}

/** Outcomes, and the open accounts of tests that have none yet. */
async function loadTests() {
  const [listed, { accounts }] = await Promise.all([
    call<Schemas['Tests']>('/tests', { query: { limit: MOST } }),
    call<Schemas['Accounts']>('/accounts', { query: { limit: MOST } }),
  ]);
  const ended = new Set(listed.tests.map(({ account }) => account));
  const open = accounts.filter(({ id, run }) => run !== undefined && !ended.has(id));
  return { ...listed, open };
}

const nameOf = ({ file = '', title }: Test) => `${file} › ${title}`;

/** How the outcome of a test differs from that in another run; undefined if it does not. */
function changeOf(test: Test, before: readonly Test[]): string | undefined {
  if (before.length === 0) return undefined;
  const earlier = before.find((one) => nameOf(one) === nameOf(test));
  if (!earlier) return 'new';
  if (earlier.outcome === test.outcome) return undefined;
  return isFailed(test) ? 'newly failed' : 'mended';
}

interface ChangesProps {
  readonly ended: readonly Test[];
  readonly before: { readonly run: string; readonly ended: readonly Test[] } | undefined;
  readonly isRunning: boolean;
}

/** Says what has changed since the run before. */
function Changes({ ended, before, isRunning }: ChangesProps) {
  if (!before || before.ended.length === 0 || ended.length === 0) return null;
  const changes = ended.map((test) => changeOf(test, before.ended));
  const numberOf = (change: string) => changes.filter((one) => one === change).length;
  const missing = before.ended.length - ended.length + numberOf('new');
  const words = [
    ...['newly failed', 'mended', 'new'].map((change) => [numberOf(change), change]),
    [missing, isRunning ? 'not run yet' : 'not run'],
  ]
    .filter(([number]) => number !== 0)
    .map((one) => one.join(' '));
  return (
    <p class="faint">
      Since {before.run}: {words.join(', ') || 'no change'}.
    </p>
  );
}

function OpenItem({ account }: { readonly account: ListedAccount }) {
  const { id, name, requests, lastRequestAt } = account;
  return (
    <li>
      <span class="wrap">
        <a href={hrefOf('requests', id)}>{partsOf(name)[0]}</a>
      </span>
      <span class="faint">
        no outcome yet · {count(requests, 'request')}
        {lastRequestAt !== undefined && (
          <>
            , the latest <Ago at={lastRequestAt} />
          </>
        )}
      </span>
    </li>
  );
}

/** What a runner says first: what was expected and received stands below its first line. */
const firstLinesOf = (message = '') => message.split(/\s*\n\s*/, 3).join(' ');

const isFailed = ({ outcome }: Test) => outcome === 'failed';
const failedFirst = (one: Test, other: Test) => Number(isFailed(other)) - Number(isFailed(one));

function Outcome({ tests }: { readonly tests: readonly Test[] }) {
  const failed = tests.filter(isFailed).length;
  const all = count(tests.length, 'test');
  return failed > 0 ? (
    <span class="chip bad">
      {failed} of {all} failed
    </span>
  ) : (
    <span class="chip good">{all} passed</span>
  );
}

interface ItemProps {
  readonly test: Test;
  readonly accounts: AccountList;
  /** What changed since the run before. */
  readonly change: string | undefined;
  readonly onDismiss: Dismiss;
}

function TestItem({ test, accounts, change, onDismiss }: ItemProps) {
  const { account, title, message, durationMs, requests, isRetried } = test;
  const onOpen = () => accounts.noteFailuresSeen();
  return (
    <li>
      <span class="wrap">
        {account === undefined ? (
          <span title="Its requests are no longer kept">{title}</span>
        ) : (
          <a href={hrefOf('requests', account)} onClick={onOpen}>
            {title}
          </a>
        )}
        {isFailed(test) && <span class="line error">{firstLinesOf(message)}</span>}
      </span>
      <span class="faint">
        {change !== undefined && <span class="tag">{change}</span>}{' '}
        {isFailed(test) ? 'failed' : isRetried ? 'passed on a retry' : 'passed'}
        {durationMs !== undefined && ` in ${formatNumber(durationMs)} ms`} ·{' '}
        {count(requests, 'request')}
      </span>
      {isFailed(test) && (
        <Button
          aria-label={`Dismiss ${title}`}
          title="Forgets this failure"
          onClick={() => onDismiss([test])}
        >
          Dismiss
        </Button>
      )}
    </li>
  );
}
