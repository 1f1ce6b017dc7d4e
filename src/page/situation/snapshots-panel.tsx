import { useState } from 'preact/hooks';
import type { components } from '../../generated/control.js';
import { call } from '../connection/call.js';
import { Errors } from '../parts/errors.js';
import { useAction } from '../parts/use-action.js';
import { useLoaded } from '../parts/use-loaded.js';
import type { PanelProps } from './panel-props.js';

type Snapshots = components['schemas']['Snapshots'];

/** States of the account to return to. */
export function SnapshotsPanel({ account, onChange }: PanelProps) {
  const [name, setName] = useState('');
  const loaded = useLoaded(() => call<Snapshots>('/snapshots', { account }), account);
  const action = useAction(() => {
    loaded.reload();
    onChange();
  });
  const take = () =>
    call('/snapshots', { method: 'POST', account, body: name === '' ? {} : { id: name } });
  return (
    <section class="panel">
      <h3>Snapshots</h3>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(take);
        }}
      >
        <label>
          Name{' '}
          <input
            size={14}
            placeholder="the next number"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit">Take</button>
      </form>
      <ul class="list">
        {loaded.value?.snapshots.map(({ id }) => (
          <li key={id}>
            {id}{' '}
            <button
              type="button"
              onClick={() =>
                action.run(() =>
                  call(`/snapshots/${encodeURIComponent(id)}/restore`, { method: 'POST', account }),
                )
              }
            >
              Restore<span class="hidden"> {id}</span>
            </button>
          </li>
        ))}
      </ul>
      <Errors sentences={[...action.errors, loaded.error]} />
    </section>
  );
}
