import { Button, TextField } from '../parts/controls.js';
import { Form } from '../parts/form.js';
import { Panel } from '../parts/panel.js';
import { useKept } from '../parts/use-kept.js';
import { type PanelProps, useChange } from './use-behaviour.js';

export function LatencyPanel(props: PanelProps) {
  const latency = useKept('latency', '20..200');
  const change = useChange(props);
  const { minMs, maxMs } = props.facts.latency;
  return (
    <Panel title="Latency" errors={change.errors}>
      <p>
        {maxMs === 0
          ? 'Responses are sent at once.'
          : `Responses are delayed by ${minMs === maxMs ? maxMs : `${minMs} to ${maxMs}`} ms.`}
      </p>
      <Form
        class="bar"
        onDone={props.onChange}
        onSubmit={() => change.call('PUT', '/latency', { latency: latency.value })}
      >
        <TextField label="Milliseconds, or a range" name="/latency" size={10} {...latency} />
        <button type="submit">Delay responses</button>
        <Button onClick={() => change.send('DELETE', '/latency')}>No delay</Button>
      </Form>
    </Panel>
  );
}
