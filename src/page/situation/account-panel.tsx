import type { components } from '../../generated/control.js';
import type { ListedAccount } from '../connection/account-list.js';
import { call } from '../connection/call.js';
import { Errors } from '../parts/errors.js';
import { useAction } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';

type Account = components['schemas']['Account'];

/** The members of the account that are shown, and what they are called. */
const LABELS: Readonly<Partial<Record<keyof Account, string>>> = {
  customers: 'Customers',
  contracts: 'Contracts',
  measurements: 'Measurements',
  events: 'Events',
  fingerprint: 'Hash of all records',
};

interface AccountProps {
  readonly account: ListedAccount;
  readonly onChange: () => void;
}

/** What the account is, and the way back to how it was opened. */
export function AccountPanel({ account, onChange }: AccountProps) {
  const { id, name, dataset, datasetName, openedAt, changes } = account;
  const key = `${id} ${changes}`;
  const { value, error } = useLoaded(() => call<Account>('/account', { account: id }), key);
  const action = useAction(onChange);
  const facts: readonly (readonly [name: string, value: unknown])[] = [
    ['Name', name],
    ['Dataset', `${datasetName} (${dataset})`],
    ['Opened', openedAt],
    ['Changed records', changes],
    ...(value
      ? Object.entries(LABELS).map(
          ([member, label]) => [label, value[member as keyof Account]] as const,
        )
      : []),
  ];
  return (
    <section class="panel">
      <h3>Account</h3>
      <dl>
        {facts.map(([fact, words]) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{String(words)}</dd>
          </div>
        ))}
      </dl>
      <button
        type="button"
        onClick={() => action.run(() => call('/reset', { method: 'POST', account: id }))}
      >
        Reset the account
      </button>{' '}
      <span class="faint">Records, journal, faults, clock, latency, decisions.</span>
      <Errors sentences={[error, ...action.errors]} />
    </section>
  );
}
