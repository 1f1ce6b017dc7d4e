import { Button, Form, TextField, useEntered } from '../parts/controls.js';
import { Panel } from '../parts/panel.js';
import { type ChangeAllProps, useChange } from './use-behaviour.js';

export function SnapshotsPanel(props: ChangeAllProps) {
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
