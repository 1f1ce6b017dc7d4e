import { parseJson } from '../../values/parse-json.js';
import { call, type Schemas } from '../connection/call.js';
import { Button, Form, TextField, useEntered } from '../parts/controls.js';
import { Errors } from '../parts/use-action.js';
import { AccountPanel, type ChangeAll, Panel } from './account-panel.js';
import { FaultsPanel } from './faults-panel.js';
import { type AccountViewProps, type PanelProps, useChange } from './use-behaviour.js';

export function BehaviourView({ account, behaviour, mock }: AccountViewProps) {
  const { value: facts, error, reload } = behaviour;
  const props = facts && { account: account.id, facts, onChange: reload };
  const changeAll: ChangeAll = (words, method, path, body) =>
    mock.undo.change(
      `${words} ${account.name}.`,
      account.id,
      { method, path, body },
      account.requests,
    );
  return (
    <>
      <h2 class="hidden">Behaviour</h2>
      <Errors sentences={[error]} />
      {props && (
        <div class="panels">
          <FaultsPanel {...props} />
          <div class="column">
            <LatencyPanel {...props} />
            <ClockPanel {...props} />
          </div>
          <div class="column">
            <ScenariosPanel {...props} changeAll={changeAll} />
            <StubsPanel {...props} />
            <SnapshotsPanel {...props} changeAll={changeAll} />
          </div>
          <AccountPanel {...{ account, changeAll }} onChange={reload} />
        </div>
      )}
    </>
  );
}

interface WholeProps extends PanelProps {
  readonly changeAll: ChangeAll;
}

function ScenariosPanel(props: WholeProps) {
  const change = useChange(props);
  const { scenarios } = props.facts;
  if (scenarios.length === 0) return null;
  return (
    <Panel title="Scenarios" errors={change.errors}>
      <p class="faint">
        Prepared situations of the dataset. Each replaces all other changes; the requests stay.
      </p>
      <ul class="presets">
        {scenarios.map(({ name }) => (
          <li key={name}>
            <Button
              disabled={change.isRunning}
              onClick={() =>
                change.run(() =>
                  props.changeAll(`Applied the scenario ${name} to`, 'PUT', '/scenario', { name }),
                )
              }
            >
              {name}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function LatencyPanel(props: PanelProps) {
  const latency = useEntered('latency', '20..200');
  const change = useChange(props);
  const { minMs, maxMs } = props.facts.latency;
  return (
    <Panel title="Latency" errors={change.errors}>
      <p>
        {maxMs === 0
          ? 'Responses are sent at once.'
          : `Responses are delayed by ${minMs === maxMs ? maxMs : `${minMs} to ${maxMs}`} ms.`}
      </p>
      <Form class="bar" onSubmit={() => change.send('PUT', '/latency', { latency: latency.value })}>
        <TextField label="Milliseconds, or a range" size={10} {...latency} />
        <button type="submit">Delay responses</button>
        <Button onClick={() => change.send('DELETE', '/latency')}>No delay</Button>
      </Form>
    </Panel>
  );
}

const HOUR_MS = 3_600_000;

/** By how much the buttons advance the clock. */
const STEPS = { '1 hour': HOUR_MS, '1 day': 24 * HOUR_MS, '30 days': 30 * 24 * HOUR_MS };

function ClockPanel(props: PanelProps) {
  const instant = useEntered('instant', '');
  const change = useChange(props);
  const { now, isFrozen } = props.facts.clock;
  const set = (body: Schemas['ClockSetting']) => change.send('PUT', '/clock', body);
  return (
    <Panel title="Clock" errors={change.errors}>
      <p>
        {now} {isFrozen && <b>frozen</b>}
      </p>
      <div class="bar">
        <Button disabled={isFrozen} onClick={() => set({ frozenAt: now })}>
          Freeze
        </Button>
        {Object.entries(STEPS).map(([words, advanceMs]) => (
          <Button key={words} onClick={() => set({ advanceMs })}>
            Advance {words}
          </Button>
        ))}
        <Button onClick={() => set({ real: true })}>Real time</Button>
      </div>
      <Form class="bar" onSubmit={() => set({ frozenAt: instant.value })}>
        <TextField
          label="Freeze at"
          size={24}
          placeholder="2026-01-31T23:59:59.000Z"
          required
          {...instant}
        />
        <button type="submit">Set</button>
      </Form>
    </Panel>
  );
}

/** Lists the stubs of the account and of the server; those it adds are for the account. */
function StubsPanel(props: PanelProps) {
  const path = useEntered('path of a stub', '');
  const body = useEntered('body of a stub', '{ "id": "{{path.id}}" }');
  const change = useChange(props);
  const add = () =>
    change.run(async () => {
      const [method = '', ...rest] = path.value.trim().split(/ +/);
      const answered = { path: rest.join(' '), body: parseJson(body.value) };
      const stub = { method: method.toUpperCase(), ...answered };
      await call('/stubs', { method: 'POST', account: props.account, body: stub });
    });
  return (
    <Panel title="Stubs" errors={change.errors}>
      <p class="faint">Responses to calls that the API does not have.</p>
      <ul class="list">
        {props.facts.stubs.map(({ id, for: owner, method, path: of, status }) => (
          <li key={`${owner} ${id}`}>
            <span>
              <b class="method">{method}</b> <code>{of}</code> {status}
              {owner === 'server' && <span class="faint"> for every account</span>}
            </span>
            <Button onClick={() => change.send('DELETE', `/stubs/${id}?for=${owner}`)}>
              Remove<span class="hidden"> stub {id}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Form class="bar" onSubmit={add}>
        <TextField label="Method and path" placeholder="GET /invoices/{id}" required {...path} />
        <TextField label="JSON body" {...body} />
        <button type="submit">Add stub</button>
      </Form>
    </Panel>
  );
}

function SnapshotsPanel(props: WholeProps) {
  const name = useEntered('snapshot', '');
  const change = useChange(props);
  const take = () => change.send('POST', '/snapshots', name.value === '' ? {} : { id: name.value });
  const restore = (id: string) =>
    change.run(() =>
      props.changeAll(
        `Restored the snapshot ${id} of`,
        'POST',
        `/snapshots/${encodeURIComponent(id)}/restore`,
      ),
    );
  return (
    <Panel title="Snapshots" errors={change.errors}>
      <Form class="bar" onSubmit={take}>
        <TextField label="Name" size={14} placeholder="a number" {...name} />
        <button type="submit">Take snapshot</button>
      </Form>
      <ul class="list">
        {props.facts.snapshots.map(({ id }) => (
          <li key={id}>
            {id}{' '}
            <Button onClick={() => restore(id)}>
              Restore<span class="hidden"> {id}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
