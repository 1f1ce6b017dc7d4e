import { useState } from 'preact/hooks';
import { call } from '../connection/call.js';
import { Errors } from '../parts/errors.js';
import { useAction } from '../parts/use-action.js';
import type { PanelProps } from './panel-props.js';
import type { Facts } from './use-situation.js';

const HOUR_MS = 3_600_000;

/** How far the clock is advanced by a click. */
const STEPS: Readonly<Record<string, number>> = {
  '1 hour': HOUR_MS,
  '1 day': 24 * HOUR_MS,
  '30 days': 30 * 24 * HOUR_MS,
};

interface ClockProps extends PanelProps {
  readonly clock: Facts['clock'];
}

/** The time of the account. */
export function ClockPanel({ account, clock: { now, isFrozen }, onChange }: ClockProps) {
  const [instant, setInstant] = useState('');
  const action = useAction(onChange);
  const set = (body: object) => action.run(() => call('/clock', { method: 'PUT', account, body }));
  return (
    <section class="panel">
      <h3>Clock</h3>
      <p>
        {now} {isFrozen && <b>frozen</b>}
      </p>
      <div class="bar">
        <button type="button" disabled={isFrozen} onClick={() => set({ frozenAt: now })}>
          Freeze
        </button>
        {Object.entries(STEPS).map(([words, advanceMs]) => (
          <button key={words} type="button" onClick={() => set({ advanceMs })}>
            Advance {words}
          </button>
        ))}
        <button type="button" onClick={() => set({ real: true })}>
          Real time
        </button>
      </div>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          void set({ frozenAt: instant });
        }}
      >
        <label>
          Freeze at{' '}
          <input
            size={24}
            placeholder="2026-01-31T23:59:59.000Z"
            value={instant}
            required
            onInput={({ currentTarget }) => setInstant(currentTarget.value)}
          />
        </label>
        <button type="submit">Set</button>
      </form>
      <Errors sentences={action.errors} />
    </section>
  );
}
