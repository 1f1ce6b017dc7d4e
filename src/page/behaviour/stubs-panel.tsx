import { STUB_METHODS } from '#spec';
import { Button, Choice, type Option, TextField } from '../parts/controls.js';
import { Form } from '../parts/form.js';
import { Panel } from '../parts/panel.js';
import { useKept } from '../parts/use-kept.js';
import { ResponseFields, readResponse, useTypedResponse } from './response-fields.js';
import { type PanelProps, useChange } from './use-behaviour.js';

const METHODS = STUB_METHODS.map((one): Option => [one, one]);

/** Lists the stubs of the account and of the server; those it adds are for the account. */
export function StubsPanel(props: PanelProps) {
  const method = useKept('method of a stub', 'GET');
  const path = useKept('path of a stub', '');
  const response = useTypedResponse('a stub');
  const change = useChange(props);
  const add = () => {
    const called = { method: method.value, path: path.value.trim() };
    return change.call('POST', '/stubs', { ...called, ...readResponse(response) });
  };
  return (
    <Panel title="Stubs" errors={change.errors}>
      <p class="faint">Responses to calls that the API does not have.</p>
      <ul class="list">
        {props.facts.stubs.map(({ id, for: owner, method: of, path: to, status }) => (
          <li key={`${owner} ${id}`}>
            <span>
              <b class="method">{of}</b> <code>{to}</code> {status}
              {owner === 'server' && <span class="faint"> for every account</span>}
            </span>
            <Button onClick={() => change.send('DELETE', `/stubs/${id}?for=${owner}`)}>
              Remove<span class="hidden"> stub {id}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Form class="bar" onSubmit={add} onDone={props.onChange}>
        <Choice label="Method" options={METHODS} {...method} />
        <TextField
          label="Path"
          name="/path"
          title="a path such as /login or /invoices/{id}"
          placeholder="/invoices/{id}"
          required
          {...path}
        />
        <ResponseFields {...response} />
        <button type="submit">Add stub</button>
      </Form>
    </Panel>
  );
}
