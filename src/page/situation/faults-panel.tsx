import type { Schemas } from '../connection/call.js';
import { Button, Check, Choice, type Option, useEntered } from '../parts/controls.js';
import { Errors } from '../parts/use-action.js';
import { useOperations } from '../reference/document.js';
import { type PanelProps, useChange } from './use-situation.js';

/** A failure that clients have to survive. */
type Preset = readonly [title: string, words: string, fault: Schemas['FaultRequest']];

/** Failures that are arranged with a click. */
const PRESETS: readonly Preset[] = [
  ['Slow', 'Every answer takes 3 seconds.', { kind: 'delay', delayMs: 3_000 }],
  ['500', 'Internal server error; the operation does not run.', { kind: 'status', status: 500 }],
  [
    '429',
    'Too many requests, with Retry-After: 2.',
    { kind: 'status', status: 429, retryAfterS: 2 },
  ],
  [
    'Lost answer',
    'The operation runs, and the connection is reset before its answer.',
    { kind: 'reset', phase: 'after' },
  ],
  ['Malformed', 'The answer is incomplete JSON.', { kind: 'malformed-json' }],
];

/** Failures to inject, and those that are injected. */
export function FaultsPanel(props: PanelProps) {
  const operation = useEntered('');
  const lasts = useEntered(true);
  const change = useChange(props);
  const operations: Option[] = [['', 'every operation'], ...useOperations()];
  const add = (fault: Preset[2]) => {
    const times = lasts.value ? 'always' : 1;
    const operationId = operation.value || undefined;
    return change.send('POST', '/faults', { ...fault, times, operationId });
  };
  return (
    <section class="panel">
      <h3>Faults</h3>
      <div class="bar">
        <Choice label="On" options={operations} {...operation} />
        <Check label="until it is removed" {...lasts} />
      </div>
      <ul class="presets">
        {PRESETS.map(([title, words, fault]) => (
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
