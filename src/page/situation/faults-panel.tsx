import { useState } from 'preact/hooks';
import { call } from '../connection/call.js';
import { Errors } from '../parts/errors.js';
import { useAction } from '../parts/use-action.js';
import { useOperationIds } from '../reference/use-operation-ids.js';
import type { PanelProps } from './panel-props.js';
import { PRESETS } from './presets.js';
import type { Facts } from './use-situation.js';

interface FaultsProps extends PanelProps {
  readonly faults: Facts['faults'];
}

/** Failures to inject, and those that are injected. */
export function FaultsPanel({ account, faults, onChange }: FaultsProps) {
  const [scope, setScope] = useState<Scope>({ operationId: '', times: 'always' });
  const action = useAction(onChange);
  const add = (fault: (typeof PRESETS)[number]['fault']) => {
    const { operationId, times } = scope;
    const body = { ...fault, times, ...(operationId !== '' && { operationId }) };
    return action.run(() => call('/faults', { method: 'POST', account, body }));
  };
  const remove = (id: number) =>
    action.run(() => call(`/faults/${id}`, { method: 'DELETE', account }));
  return (
    <section class="panel">
      <h3>Faults</h3>
      <ScopeForm scope={scope} onScope={setScope} />
      <ul class="presets">
        {PRESETS.map(({ title, words, fault }) => (
          <li key={title}>
            <button type="button" disabled={action.isRunning} onClick={() => add(fault)}>
              {title}
            </button>{' '}
            {words}
          </li>
        ))}
      </ul>
      <Errors sentences={action.errors} />
      <ul class="list">
        {faults.map(({ id, explanation }) => (
          <li key={id}>
            {explanation}{' '}
            <button type="button" onClick={() => remove(id)}>
              Remove<span class="hidden"> fault {id}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Which requests a fault is for; every operation without an id. */
interface Scope {
  readonly operationId: string;
  readonly times: 'always' | 1;
}

interface ScopeProps {
  readonly scope: Scope;
  readonly onScope: (scope: Scope) => void;
}

function ScopeForm({ scope, onScope }: ScopeProps) {
  const operationIds = useOperationIds();
  return (
    <div class="bar">
      <label>
        On{' '}
        <select
          value={scope.operationId}
          onChange={({ currentTarget }) => onScope({ ...scope, operationId: currentTarget.value })}
        >
          <option value="">every operation</option>
          {operationIds.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label>
        <input
          type="checkbox"
          checked={scope.times === 'always'}
          onChange={({ currentTarget }) =>
            onScope({ ...scope, times: currentTarget.checked ? 'always' : 1 })
          }
        />{' '}
        until it is removed
      </label>
    </div>
  );
}
