import { useState } from 'preact/hooks';
import { call, type Schemas } from '../connection/call.js';
import { Button } from '../parts/controls.js';
import { FileForm } from '../parts/file-form.js';
import { readJson } from '../parts/form.js';
import { Ago, download } from '../parts/format.js';
import { Panel } from '../parts/panel.js';
import { useLoaded } from '../parts/use-loaded.js';
import {
  type AccountViewProps,
  type ChangeAll,
  type PanelProps,
  useChange,
} from './use-behaviour.js';

const SAVED_FILE = 'situation.json';

/** The dataset `empty`, as a state. */
const EMPTY = { customers: [], contracts: [], measurements: [], events: [] };

interface AccountProps extends Pick<PanelProps, 'onChange'>, Pick<AccountViewProps, 'account'> {
  readonly changeAll: ChangeAll;
}

export function AccountPanel({ account: listed, changeAll, onChange }: AccountProps) {
  const { id: account, name, dataset, datasetName, openedAt, changes } = listed;
  const load = () => call<Schemas['Account']>('/account', { account });
  const { value, error } = useLoaded(load, `${account} ${changes}`, { reloads: true });
  const change = useChange({ account, onChange });
  const [isSaved, setSaved] = useState(false);
  const save = async () => {
    const saved = await call('/fixture', { account, query: { keepNames: 'true' } });
    download(SAVED_FILE, 'application/json', JSON.stringify(saved, null, 2));
    setSaved(true);
  };
  const facts = {
    Name: name,
    Dataset: `${datasetName} (${dataset})`,
    Opened: <Ago at={openedAt} />,
    'Changed records': changes,
    ...(value && {
      Customers: value.customers,
      Contracts: value.contracts,
      Measurements: value.measurements,
      Events: value.events,
      'Hash of all records': value.fingerprint,
    }),
  };
  return (
    <Panel title="Account" errors={[error, ...change.errors]}>
      <dl>
        {Object.entries(facts).map(([fact, words]) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p class="bar">
        <Button
          title="Records, faults, stubs, clock, latency and decisions as at the start; the requests stay"
          onClick={() => change.run(() => changeAll('Reset', 'POST', '/snapshots/opening/restore'))}
        >
          Reset the account
        </Button>
        <Button
          title="What this account has changed, as a fixture: for --dataset, tests or this page"
          onClick={() => change.run(save)}
        >
          Save as dataset
        </Button>
        <Button
          title="As with the dataset empty: no customers, contracts, measurements or events"
          onClick={() =>
            change.run(() => changeAll('Removed all records of', 'PUT', '/state', EMPTY))
          }
        >
          Remove all records
        </Button>
      </p>
      <p role="status">
        {isSaved && (
          <>
            Saved to your downloads. To start from it:{' '}
            <code class="wrap">npx usage-billing-mock --dataset {SAVED_FILE}</code>
          </>
        )}
      </p>
      <FileForm
        label="Import dataset…"
        onFile={async (file) =>
          changeAll(`Imported ${file.name} into`, 'PUT', '/state', readJson(await file.text(), ''))
        }
        onDone={onChange}
      />
    </Panel>
  );
}
