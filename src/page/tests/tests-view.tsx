import type { ViewProps } from '../behaviour/use-behaviour.js';
import type { ListedAccount } from '../connection/account-list.js';
import { call, type Schemas } from '../connection/call.js';
import { SearchField } from '../parts/controls.js';
import { Ago, count } from '../parts/format.js';
import { hrefOf, useAddressed } from '../parts/route.js';
import { Errors } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';

/** The most accounts that the mock lists at once. */
const MOST = 1_000;

/** Lists the tests that have accounts, by run and file; the run with the newest account first. */
export function TestsView({ mock: { accounts } }: ViewProps) {
  const search = useAddressed('text');
  const { value, error } = useLoaded(
    () => call<Schemas['Accounts']>('/accounts', { query: { limit: MOST } }),
    '',
    { reloads: true },
  );
  const text = search.value.toLowerCase();
  const tests = value?.accounts.filter(isOfTest) ?? [];
  const runs = grouped(
    tests.filter(({ name }) => name.toLowerCase().includes(text)),
    ({ run = '' }) => run,
  );
  return (
    <>
      <h2 class="hidden">Tests</h2>
      <search class="bar">
        <SearchField label="Search tests" {...search} />
        <span class="faint">
          Each test has its own account. Tests not marked as failed have passed, or are still
          running.
        </span>
      </search>
      <Errors sentences={[error]} />
      {runs.map(([run, ofRun]) => (
        <section key={run} class="panel run" aria-label={run || 'Other tests'}>
          <div class="bar">
            <h3>
              {run || 'Other tests'}{' '}
              <span class="faint">
                started <Ago at={ofRun.at(-1)?.openedAt ?? ''} />
              </span>
            </h3>
            <Outcome tests={ofRun} />
          </div>
          {grouped(ofRun, ({ name }) => partsOf(name).file).map(([file, ofFile]) => (
            <details key={file} open={ofFile.some(isFailed)}>
              <summary>
                <b>{file}</b> <Outcome tests={ofFile} />
              </summary>
              <ul class="list">
                {ofFile.toSorted(failedFirst).map((test) => (
                  <TestItem key={test.id} test={test} onOpen={() => accounts.noteFailuresSeen()} />
                ))}
              </ul>
            </details>
          ))}
        </section>
      ))}
      {value && tests.length === 0 && (
        <p class="empty">
          No tests yet. Tests appear here if they use a test kit (Jest, Vitest or Playwright) or are
          marked as failed.
        </p>
      )}
      {value && tests.length > 0 && runs.length === 0 && (
        <p class="empty">No test has this in its name.</p>
      )}
      {value && value.total > MOST && (
        <p class="note">Only the newest {count(MOST, 'account')} are listed.</p>
      )}
    </>
  );
}

const isFailed = ({ failure }: ListedAccount) => failure !== undefined;
const isOfTest = (account: ListedAccount) => account.run !== undefined || isFailed(account);
const failedFirst = (one: ListedAccount, other: ListedAccount) =>
  Number(isFailed(other)) - Number(isFailed(one));

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  return [...Map.groupBy(items, keyOf)];
}

function partsOf(name: string) {
  const [file = '', ...rest] = name.split(' › ');
  return rest.length === 0 ? { file: 'No file', test: name } : { file, test: rest.join(' › ') };
}

function Outcome({ tests }: { readonly tests: readonly ListedAccount[] }) {
  const failed = tests.filter(isFailed).length;
  const all = count(tests.length, 'test');
  return failed > 0 ? (
    <span class="chip bad">
      {failed} of {all} failed
    </span>
  ) : (
    <span class="chip">{all}</span>
  );
}

interface ItemProps {
  readonly test: ListedAccount;
  readonly onOpen: () => void;
}

function TestItem({ test, onOpen }: ItemProps) {
  const { id, name, failure, requests } = test;
  return (
    <li>
      <span class="wrap">
        <a href={hrefOf('requests', id)} onClick={onOpen}>
          {partsOf(name).test}
        </a>
        {failure !== undefined && <span class="line error">{failure.split('\n')[0]}</span>}
      </span>
      <span class="faint">{count(requests, 'request')}</span>
    </li>
  );
}
