import type { Schemas } from '../connection/call.js';
import { Button, Choice, Form, type Option, TextField, useEntered } from '../parts/controls.js';
import { Errors } from '../parts/use-action.js';
import { useOperations } from '../reference/document.js';
import { type Facts, type PanelProps, useChange } from './use-behaviour.js';

type FaultRequest = Schemas['FaultRequest'];

/** A fault that is added with a click. */
type Preset = readonly [title: string, words: string, fault: FaultRequest];

const statusPreset = (status: number, words: string, others = {}): Preset => [
  String(status),
  words,
  { kind: 'status', status, ...others },
];

const PRESETS: readonly Preset[] = [
  statusPreset(401, 'Unauthorized: the token has expired.'),
  statusPreset(403, 'Forbidden: the token may not do this.'),
  statusPreset(429, 'Too many requests, with Retry-After: 2.', { retryAfterS: 2 }),
  statusPreset(500, 'Internal server error; the operation does not run.'),
  statusPreset(503, 'Service unavailable; the operation does not run.'),
  ['Slow', 'Responds after 3 seconds.', { kind: 'delay', delayMs: 3_000 }],
  [
    'Lost response',
    'The operation runs, and the connection is reset before its response.',
    { kind: 'reset', phase: 'after' },
  ],
  ['Broken JSON', 'The response is incomplete JSON.', { kind: 'malformed-json' }],
  ['Body {}', 'Responds with {}, which the document forbids.', { kind: 'respond', body: {} }],
];

/** Describes a fault and how often it will still fire; undefined if it will not fire again. */
export function faultWords(fault: Facts['faults'][number]): string | undefined {
  const { kind, phase, status, operationId, path = operationId, times, fired } = fault;
  const left = times === 'always' ? times : times - fired;
  if (left === 0) return undefined;
  const [what] = PRESETS.find(
    ([, , { phase: of = phase, ...one }]) => one.kind === kind && of === phase,
  ) ?? [kind];
  const which = left === 'always' ? left : `next ${left}`;
  const unused = fired === 0 ? ' (not fired yet)' : '';
  return `${status ?? what} on ${path ?? 'every operation'}, ${which}${unused}`;
}

const TIMES: readonly Option[] = [
  ['always', 'always'],
  ['1', 'next request'],
  ...['2', '3', '5'].map((times): Option => [times, `next ${times}`]),
];

export function FaultsPanel(props: PanelProps) {
  const operation = useEntered('operation of faults', '');
  const times = useEntered('times of faults', 'always');
  const status = useEntered('status of faults', '');
  const change = useChange(props);
  const operations: Option[] = [['', 'every operation'], ...useOperations()];
  const add = (fault: FaultRequest) =>
    change.send('POST', '/faults', {
      ...fault,
      times: Number(times.value) || times.value,
      operationId: operation.value || undefined,
    });
  const faults = props.facts.faults.map((fault) => ({ ...fault, words: faultWords(fault) }));
  return (
    <section class="panel">
      <h3>Faults</h3>
      <div class="bar">
        <Choice label="Operation" options={operations} {...operation} />
        <Choice label="How often" options={TIMES} {...times} />
      </div>
      <ul class="presets">
        {PRESETS.map(([title, words, fault]) => (
          <li key={title}>
            <Button disabled={change.isRunning} title={words} onClick={() => add(fault)}>
              {title}
            </Button>
          </li>
        ))}
        <li>
          <Form onSubmit={() => add({ kind: 'status', status: Number(status.value) })}>
            <TextField
              label=""
              aria-label="Another status"
              placeholder="4xx, 5xx"
              inputMode="numeric"
              pattern="[45]\d\d"
              size={6}
              required
              {...status}
            />{' '}
            <button type="submit">Add</button>
          </Form>
        </li>
      </ul>
      <Errors sentences={change.errors} />
      <ul class="list">
        {faults.map(({ id, words, explanation }) => (
          <li key={id} class={words === undefined ? 'faint' : ''}>
            <span>{explanation}</span>
            <Button onClick={() => change.send('DELETE', `/faults/${id}`)}>
              Remove<span class="hidden"> fault {id}</span>
            </Button>
          </li>
        ))}
      </ul>
      {faults.length === 0 && <p class="faint">No faults: every request is handled as usual.</p>}
    </section>
  );
}
