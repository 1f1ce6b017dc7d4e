import { useState } from 'preact/hooks';
import type { components } from '../../generated/control.js';
import { call } from '../connection/call.js';
import { Errors } from '../parts/errors.js';
import { useAction } from '../parts/use-action.js';
import type { PanelProps } from './panel-props.js';
import { PRESETS } from './presets.js';
import type { Facts } from './use-situation.js';

type FaultRequest = components['schemas']['FaultRequest'];

const OPERATIONS: readonly NonNullable<FaultRequest['operationId']>[] = [
  'listMeasurements',
  'getCustomer',
  'getCustomerByName',
  'deleteContract',
  'deleteEventsByRefs',
];

interface FaultsProps extends PanelProps {
  readonly faults: Facts['faults'];
}

/** Failures to inject, and those that are injected. */
export function FaultsPanel({ account, faults, onChange }: FaultsProps) {
  const [operationId, setOperationId] = useState('');
  const [isForAlways, setForAlways] = useState(true);
  const action = useAction(onChange);
  const add = (fault: (typeof PRESETS)[number]['fault']) =>
    call('/faults', {
      method: 'POST',
      account,
      body: {
        ...fault,
        times: isForAlways ? 'always' : 1,
        ...(operationId !== '' && { operationId }),
      },
    });
  return (
    <section class="panel">
      <h3>Faults</h3>
      <div class="bar">
        <label>
          On{' '}
          <select
            value={operationId}
            onChange={({ currentTarget }) => setOperationId(currentTarget.value)}
          >
            <option value="">every operation</option>
            {OPERATIONS.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={isForAlways}
            onChange={({ currentTarget }) => setForAlways(currentTarget.checked)}
          />{' '}
          until it is removed
        </label>
      </div>
      <ul class="presets">
        {PRESETS.map(({ title, words, fault }) => (
          <li key={title}>
            <button
              type="button"
              disabled={action.isRunning}
              onClick={() => action.run(() => add(fault))}
            >
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
            <button
              type="button"
              onClick={() => action.run(() => call(`/faults/${id}`, { method: 'DELETE', account }))}
            >
              Remove<span class="hidden"> fault {id}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
