import { useState } from 'preact/hooks';
import type { Schemas } from '../connection/call.js';
import { Button, Check, Choice, type Option } from '../parts/controls.js';
import { Errors } from '../parts/use-action.js';
import { useOperationIds } from '../reference/document.js';
import { type PanelProps, useChange } from './use-situation.js';

/** A failure that clients have to survive. */
interface Preset {
  readonly title: string;
  readonly words: string;
  readonly fault: Omit<Schemas['FaultRequest'], 'times' | 'skip'>;
}

/** Failures that are arranged with a click. */
const PRESETS: readonly Preset[] = [
  {
    title: 'Slow',
    words: 'Every answer takes 3 seconds.',
    fault: { kind: 'delay', delayMs: 3_000 },
  },
  {
    title: '500',
    words: 'Internal server error; the operation does not run.',
    fault: { kind: 'status', status: 500 },
  },
  {
    title: '429',
    words: 'Too many requests, with Retry-After: 2.',
    fault: { kind: 'status', status: 429, retryAfterS: 2 },
  },
  {
    title: 'Lost answer',
    words: 'The operation runs, and the connection is reset before its answer.',
    fault: { kind: 'reset', phase: 'after' },
  },
  {
    title: 'Malformed',
    words: 'The answer is incomplete JSON.',
    fault: { kind: 'malformed-json' },
  },
];

/** Failures to inject, and those that are injected. */
export function FaultsPanel(props: PanelProps) {
  const [operationId, setOperationId] = useState('');
  const [isLasting, setLasting] = useState(true);
  const change = useChange(props);
  const operations = useOperationIds().map((id): Option => [id, id]);
  const add = (fault: Preset['fault']) => {
    const scope = { times: isLasting ? 'always' : 1, ...(operationId !== '' && { operationId }) };
    return change.send('POST', '/faults', { ...fault, ...scope });
  };
  return (
    <section class="panel">
      <h3>Faults</h3>
      <div class="bar">
        <Choice
          label="On"
          value={operationId}
          options={[['', 'every operation'], ...operations]}
          onChoose={setOperationId}
        />
        <Check label="until it is removed" checked={isLasting} onCheck={setLasting} />
      </div>
      <ul class="presets">
        {PRESETS.map(({ title, words, fault }) => (
          <li key={title}>
            <Button disabled={change.isRunning} onClick={() => add(fault)}>
              {title}
            </Button>{' '}
            {words}
          </li>
        ))}
      </ul>
      <Errors sentences={change.errors} />
      <ul class="list">
        {props.facts.faults.map(({ id, explanation }) => (
          <li key={id}>
            {explanation}{' '}
            <Button onClick={() => change.send('DELETE', `/faults/${id}`)}>
              Remove<span class="hidden"> fault {id}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
