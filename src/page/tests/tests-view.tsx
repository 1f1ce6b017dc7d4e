import type { ViewProps } from '../behaviour/use-behaviour.js';
import type { AccountList } from '../connection/account-list.js';
import { call, type Schemas } from '../connection/call.js';
import { Button, SearchField } from '../parts/controls.js';
import { Ago, count, formatNumber } from '../parts/format.js';
import { hrefOf, useAddressed } from '../parts/route.js';
import { Errors, useAction } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';

/** The most tests that the mock lists at once. */
const MOST = 1_000;

type Test = Schemas['ListedTest'];
type Dismiss = (tests: readonly Test[]) => void;

/** Lists tests with their latest outcomes, by run and file; the run that ended last comes first. */
export function TestsView({ mock: { accounts } }: ViewProps) {
  const search = useAddressed('text');
  const { value, error, reload } = useLoaded(
    () => call<Schemas['Tests']>('/tests', { query: { limit: MOST } }),
    '',
    { reloads: true },
  );
  const action = useAction(() => [reload(), void accounts.list()]);
  const dismiss: Dismiss = (tests) =>
    action.run(() =>
      Promise.all(tests.map(({ id }) => call(`/tests/${id}`, { method: 'DELETE' }))),
    );
  const text = search.value.toLowerCase();
  const tests = value?.tests ?? [];
  const runs = grouped(
    tests
      .filter(({ file = '', title }) => `${file} › ${title}`.toLowerCase().includes(text))
      .toSorted((one, other) => other.id - one.id),
    ({ run = '' }) => run,
  );
  return (
    <>
      <h2 class="hidden">Tests</h2>
      <search class="bar">
        <SearchField label="Search tests" {...search} />
        <span class="faint">Each test with its latest outcome, in the run that it comes from.</span>
      </search>
      <Errors sentences={[error, ...action.errors]} />
      {runs.map(([run, ofRun]) => (
        <section key={run} class="panel run" aria-label={run || 'Other tests'}>
          <div class="bar">
            <h3>
              {run || 'Other tests'}{' '}
              <span class="faint">
                ended <Ago at={ofRun[0]?.endedAt ?? ''} />
              </span>
            </h3>
            <Outcome tests={ofRun} />
            <DismissAll tests={ofRun} onDismiss={dismiss} />
          </div>
          {grouped(ofRun, ({ file }) => file || 'No file').map(([file, ofFile]) => (
            <details key={file} open={ofFile.some(isFailed)}>
              <summary>
                <b>{file}</b> <Outcome tests={ofFile} />
              </summary>
              <ul class="list">
                {ofFile.toSorted(failedFirst).map((test) => (
                  <TestItem key={test.id} {...{ test, accounts }} onDismiss={dismiss} />
                ))}
              </ul>
            </details>
          ))}
        </section>
      ))}
      {value && tests.length === 0 && (
        <p class="empty">
          No test has ended yet. Tests appear here if they use a test kit (Playwright, Vitest, or
          Jest with its test environment) or are marked by PUT /__control/account/test.
        </p>
      )}
      {tests.length > 0 && runs.length === 0 && <p class="empty">No test has this in its name.</p>}
      {value && value.total > MOST && (
        <p class="note">
          {formatNumber(MOST)} of {count(value.total, 'test')} are listed: those that failed, then
          the newest.
        </p>
      )}
    </>
  );
}

const isFailed = ({ outcome }: Test) => outcome === 'failed';
const failedFirst = (one: Test, other: Test) => Number(isFailed(other)) - Number(isFailed(one));

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  return [...Map.groupBy(items, keyOf)];
}

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

interface DismissProps {
  readonly tests: readonly Test[];
  readonly onDismiss: Dismiss;
}

function DismissAll({ tests, onDismiss }: DismissProps) {
  const failed = tests.filter(isFailed);
  return (
    failed.length > 1 && (
      <Button title="Forgets these failures" onClick={() => onDismiss(failed)}>
        Dismiss {failed.length}
      </Button>
    )
  );
}

interface ItemProps {
  readonly test: Test;
  readonly accounts: AccountList;
  readonly onDismiss: Dismiss;
}

function TestItem({ test, accounts, onDismiss }: ItemProps) {
  const { account, title, message, durationMs, requests } = test;
  const onOpen = () => accounts.noteFailuresSeen();
  return (
    <li>
      <span class="wrap">
        {account === undefined ? (
          <span title="Its account was closed">{title}</span>
        ) : (
          <a href={hrefOf('requests', account)} onClick={onOpen}>
            {title}
          </a>
        )}
        {isFailed(test) && <span class="line error">{message?.split('\n')[0]}</span>}
      </span>
      <span class="faint">
        {isFailed(test) ? 'failed' : 'passed'}
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
