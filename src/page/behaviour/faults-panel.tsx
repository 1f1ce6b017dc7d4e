import { DEFAULT_PHASES } from '#spec';
import type { Schemas } from '../connection/call.js';
import type { StreamedRequest } from '../connection/request-log.js';
import { Button, Choice, OPERATIONS, type Option, TextField } from '../parts/controls.js';
import { Form } from '../parts/form.js';
import { count } from '../parts/format.js';
import { Panel } from '../parts/panel.js';
import { Table } from '../parts/table.js';
import { useKept } from '../parts/use-kept.js';
import { ResponseFields, readResponse, useTypedResponse } from './response-fields.js';
import { type Facts, type PanelProps, useChange } from './use-behaviour.js';

type FaultRequest = Schemas['FaultRequest'];

/** A fault that is added with a click. */
type Preset = readonly [title: string, words: string, fault: FaultRequest];

const statusPreset = (status: number, words: string, others = {}): Preset => [
  String(status),
  words,
  { kind: 'status', status, ...others },
];

const NETWORK_FAILURE = 'Network failure';

const PRESETS: readonly Preset[] = [
  statusPreset(401, 'Unauthorized: the token has expired.'),
  statusPreset(403, 'Forbidden: the token may not do this.'),
  statusPreset(429, 'Too many requests, with Retry-After: 2.', { retryAfterS: 2 }),
  statusPreset(500, 'Internal server error; the operation does not run.'),
  statusPreset(503, 'Service unavailable; the operation does not run.'),
  ['Slow', 'Responds after 3 seconds.', { kind: 'delay', delayMs: 3_000 }],
  ['Hold', 'Responds when you remove the fault, or after 60 seconds with 503.', { kind: 'hold' }],
  [
    'Lost response',
    'The operation runs, and the connection is reset before its response.',
    { kind: 'reset', phase: 'after' },
  ],
  [
    NETWORK_FAILURE,
    'The connection is reset before the operation runs.',
    { kind: 'reset', phase: 'before' },
  ],
  ['Broken JSON', 'The response is incomplete JSON.', { kind: 'malformed-json' }],
  ['Body {}', 'Responds with {}, which the document forbids.', { kind: 'respond', body: {} }],
];

/**
 * Takes the place of the reset for a browser, which after a reset sends the request again, once on
 * each connection that it has open. `fetch` fails at a redirect to a bad port.
 */
const IN_BROWSERS: Preset = [
  NETWORK_FAILURE,
  'The call fails before the operation runs. A browser sends a request again after a reset, so this redirects it to port 1, to which no browser connects.',
  { kind: 'respond', status: 302, headers: { Location: 'http://127.0.0.1:1/' } },
];

/** What a fault does, in the words of its preset if it is like one. */
function effectOf(fault: Facts['faults'][number]): string {
  const isLike = ([, , preset]: Preset) =>
    Object.entries(preset).every(([name, value]) => isSame(Object(fault)[name], value));
  const [title] = [...PRESETS, IN_BROWSERS].find(isLike) ?? [fault.kind];
  return title === NETWORK_FAILURE ? title : String(fault.status ?? title);
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const placeOf = ({ operationId, path = operationId }: Facts['faults'][number]) =>
  path ?? 'every operation';

/** When it fires, unless that is at once and before the operation, or as its name says. */
function whenOf({ kind, phase, skip }: Facts['faults'][number]): string {
  const isAfter = phase !== DEFAULT_PHASES[kind] && kind !== 'reset';
  return [isAfter && 'after the operation', skip > 0 && `skips ${skip}`].filter(Boolean).join(', ');
}

const isSpent = ({ times, fired }: Facts['faults'][number]) => times === fired;

/** Whether a fault holds a request; it does until it is removed. */
export function isHolding(fault: Facts['faults'][number], request: StreamedRequest): boolean {
  return fault.kind === 'hold' && request.fault === fault.id && request.outcome === undefined;
}

/**
 * Describes a fault, how often it will still fire and how many requests it holds; undefined if it
 * has no effect any more.
 */
export function faultWords(fault: Facts['faults'][number], held: number): string | undefined {
  const { times, fired } = fault;
  if (held > 0) return `${effectOf(fault)} on ${placeOf(fault)}, holds ${count(held, 'request')}`;
  if (isSpent(fault)) return undefined;
  const which = times === 'always' ? times : `next ${times - fired}`;
  const unused = fired === 0 ? ' (not fired yet)' : '';
  return `${effectOf(fault)} on ${placeOf(fault)}, ${which}${unused}`;
}

function isOfBrowser({ headers }: StreamedRequest): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase().startsWith('sec-fetch-'));
}

const TIMES: readonly Option[] = [
  ['1', 'next request'],
  ...['2', '3', '5'].map((times): Option => [times, `next ${times}`]),
  ['always', 'always'],
];

interface FaultsPanelProps extends PanelProps {
  readonly requests: readonly StreamedRequest[];
}

export function FaultsPanel(props: FaultsPanelProps) {
  const operation = useKept('operation of faults', '');
  const times = useKept('times of faults', '1');
  const status = useKept('status of faults', '');
  const response = useTypedResponse('faults that respond');
  const change = useChange(props);
  const isFromBrowser = props.requests.some(isOfBrowser);
  const presetFor = (one: Preset) =>
    isFromBrowser && one[0] === NETWORK_FAILURE ? IN_BROWSERS : one;
  const add = (fault: object) =>
    change.call('POST', '/faults', {
      ...fault,
      times: Number(times.value) || times.value,
      operationId: operation.value || undefined,
    });
  return (
    <Panel title="Faults" errors={change.errors}>
      <div class="bar">
        <Choice
          label="Operation"
          options={[['', 'every operation'], ...OPERATIONS]}
          {...operation}
        />
        <Choice label="How often" options={TIMES} {...times} />
      </div>
      <ul class="bar">
        {PRESETS.map(presetFor).map(([title, words, fault]) => (
          <li key={title}>
            <Button
              disabled={change.isRunning}
              title={words}
              onClick={() => change.run(() => add(fault))}
            >
              {title}
            </Button>
          </li>
        ))}
        <li>
          <Form
            onSubmit={() => add({ kind: 'status', status: Number(status.value) })}
            onDone={props.onChange}
          >
            <TextField
              label=""
              aria-label="Another status"
              name="/status"
              title="a status from 400 to 599"
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
      <details>
        <summary>Respond with…</summary>
        <Form
          class="bar"
          onSubmit={() => add({ kind: 'respond', ...readResponse(response) })}
          onDone={props.onChange}
        >
          <ResponseFields {...response} />
          <button type="submit">Add this response</button>
        </Form>
      </details>
      <FaultTable
        faults={props.facts.faults}
        onRemove={(id) => change.send('DELETE', `/faults/${id}`)}
      />
    </Panel>
  );
}

interface FaultsProps {
  readonly faults: Facts['faults'];
  readonly onRemove: (id: number) => void;
}

function FaultTable({ faults, onRemove }: FaultsProps) {
  if (faults.length === 0)
    return <p class="faint">No faults: every request is handled as usual.</p>;
  return (
    <Table
      class="faults"
      caption={<caption class="hidden">Faults</caption>}
      columns={[
        [
          'Fault',
          (fault) => (
            <span title={fault.explanation}>
              {effectOf(fault)} <span class="faint">{whenOf(fault)}</span>
            </span>
          ),
        ],
        ['On', placeOf],
        [
          'Fired',
          ({ times, fired }) => (times === 'always' ? `${fired}, always` : `${fired} of ${times}`),
        ],
        [
          <th key="remove" scope="col">
            <span class="hidden">Remove</span>
          </th>,
          ({ id }) => (
            <Button onClick={() => onRemove(id)}>
              Remove<span class="hidden"> fault {id}</span>
            </Button>
          ),
        ],
      ]}
      rows={faults}
      keyOf={({ id }) => String(id)}
      classOf={(fault) => (isSpent(fault) ? 'faint' : '')}
    />
  );
}
