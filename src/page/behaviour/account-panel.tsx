import { useState } from 'preact/hooks';
import { SHIPPED_DATASETS } from '#spec';
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

interface AccountProps extends Pick<PanelProps, 'onChange'>, Pick<AccountViewProps, 'account'> {
  readonly changeAll: ChangeAll;
}

export function AccountPanel({ account: listed, changeAll, onChange }: AccountProps) {
  const { id: account, name, dataset, datasetName, openedAt, changes } = listed;
  const load = () => call<Schemas['Account']>('/account', { account });
  const { value, error, reload } = useLoaded(load, `${account} ${changes}`, { reloads: true });
  const onDone = () => {
    onChange();
    reload();
  };
  const change = useChange({ account, onChange: onDone });
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
      </p>
      {value && (
        <p class="faint">
          Resetting reverts {value.changed.join(', ') || 'nothing: the account is as it opened'}.
        </p>
      )}
      <p role="status">
        {isSaved && (
          <>
            Saved to your downloads. To start from it:{' '}
            <code class="wrap">npx usage-billing-mock --dataset {SAVED_FILE}</code>
          </>
        )}
      </p>
      <p class="faint">Or reset it to another dataset, with all else as at the start:</p>
      <p class="bar">
        {SHIPPED_DATASETS.map((name) => (
          <Button
            key={name}
            onClick={() =>
              change.run(() =>
                changeAll(`Reset to the dataset ${name}:`, 'PUT', '/state', { extends: name }),
              )
            }
          >
            {name}
          </Button>
        ))}
      </p>
      <FileForm
        label="Import dataset…"
        onFile={async (file) =>
          changeAll(`Imported ${file.name} into`, 'PUT', '/state', readJson(await file.text(), ''))
        }
        onDone={onDone}
      />
    </Panel>
  );
}
