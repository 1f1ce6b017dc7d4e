import { parseJson } from '../../values/parse-json.js';
import { call } from '../connection/call.js';
import { Button, Form, TextField, useEntered } from '../parts/controls.js';
import { Panel } from '../parts/panel.js';
import { type PanelProps, useChange } from './use-behaviour.js';

/** Lists the stubs of the account and of the server; those it adds are for the account. */
export function StubsPanel(props: PanelProps) {
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
