import { DAY_OR_INSTANT, instantOf } from '../../core/values/time.js';
import type { Schemas } from '../connection/call.js';
import { Button, TextField } from '../parts/controls.js';
import { Form } from '../parts/form.js';
import { Panel } from '../parts/panel.js';
import { MistakenError } from '../parts/use-action.js';
import { useKept } from '../parts/use-kept.js';
import { type PanelProps, useChange } from './use-behaviour.js';

const HOUR_MS = 3_600_000;

/** By how much the buttons advance the clock. */
const STEPS = { '1 hour': HOUR_MS, '1 day': 24 * HOUR_MS, '30 days': 30 * 24 * HOUR_MS };

export function ClockPanel(props: PanelProps) {
  const instant = useKept('instant', '');
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
      <Form
        class="bar"
        onDone={props.onChange}
        onSubmit={() => change.call('PUT', '/clock', { frozenAt: readInstant(instant.value) })}
      >
        <TextField
          label="Freeze at"
          name="/frozenAt"
          size={24}
          title={DAY_OR_INSTANT}
          placeholder="2026-03-31"
          required
          {...instant}
        />
        <button type="submit">Set</button>
      </Form>
    </Panel>
  );
}

function readInstant(text: string): string {
  const instant = instantOf(text.trim());
  if (instant) return instant.toISOString();
  const words = `expected ${DAY_OR_INSTANT}; received ${JSON.stringify(text)}.`;
  throw new MistakenError([{ pointer: '/frozenAt', words }]);
}
