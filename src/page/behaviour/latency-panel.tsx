import { Button, Form, TextField, useEntered } from '../parts/controls.js';
import { Panel } from '../parts/panel.js';
import { type PanelProps, useChange } from './use-behaviour.js';

export function LatencyPanel(props: PanelProps) {
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
