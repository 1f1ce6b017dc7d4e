import { call, type Schemas } from '../connection/call.js';
import { Button, TextField } from '../parts/controls.js';
import { Form } from '../parts/form.js';
import { Ago } from '../parts/format.js';
import { Panel } from '../parts/panel.js';
import { MistakenError } from '../parts/use-action.js';
import { useKept } from '../parts/use-kept.js';
import { type ChangeAllProps, useChange } from './use-behaviour.js';

export function SnapshotsPanel(props: ChangeAllProps) {
  const name = useKept('snapshot', '');
  const change = useChange(props);
  const take = async () => {
    const id = name.value.trim();
    if (id !== '') await refuseTaken(props.account, id);
    await change.call('POST', '/snapshots', id === '' ? {} : { id });
    name.onValue('');
  };
  const pathOf = (id: string) => `/snapshots/${encodeURIComponent(id)}`;
  const restore = (id: string) =>
    change.run(() =>
      props.changeAll(`Restored the snapshot ${id} of`, 'POST', `${pathOf(id)}/restore`),
    );
  return (
    <Panel title="Snapshots" errors={change.errors}>
      <Form class="bar" onSubmit={take} onDone={props.onChange}>
        <TextField label="Name" name="/id" size={14} placeholder="a number" {...name} />
        <button type="submit">Take snapshot</button>
      </Form>
      <ul class="list">
        {props.facts.snapshots.map(({ id, takenAt }) => (
          <li key={id}>
            <span>
              {id}{' '}
              <span class="faint">
                taken <Ago at={takenAt} />
              </span>
            </span>
            <span class="group">
              <Button onClick={() => restore(id)}>
                Restore<span class="hidden"> {id}</span>
              </Button>
              <Button onClick={() => change.send('DELETE', pathOf(id))}>
                Remove<span class="hidden"> snapshot {id}</span>
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Throws if a snapshot has this name, which the new one would replace. */
async function refuseTaken(account: string, id: string): Promise<void> {
  const { snapshots } = await call<Schemas['Snapshots']>('/snapshots', { account });
  if (!snapshots.some((one) => one.id === id)) return;
  const words = `a snapshot is already called '${id}'. Give another name, or remove that one first.`;
  throw new MistakenError([{ pointer: '/id', words }]);
}
