import { Button } from '../parts/controls.js';
import { Panel } from '../parts/panel.js';
import { type ChangeAllProps, useChange } from './use-behaviour.js';

export function ScenariosPanel(props: ChangeAllProps) {
  const change = useChange(props);
  const { scenarios } = props.facts;
  if (scenarios.length === 0) return null;
  return (
    <Panel title="Scenarios" errors={change.errors}>
      <p class="faint">
        Prepared situations of the dataset. Each replaces all other changes; the requests stay.
      </p>
      <ul class="bar">
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
