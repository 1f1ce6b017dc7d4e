import { useState } from 'preact/hooks';
import { call } from '../connection/call.js';
import { Errors } from '../parts/errors.js';
import { useAction } from '../parts/use-action.js';
import type { PanelProps } from './panel-props.js';
import type { Facts } from './use-situation.js';

interface LatencyProps extends PanelProps {
  readonly latency: Facts['latency'];
}

/** How long answers are delayed. */
export function LatencyPanel({ account, latency: { minMs, maxMs }, onChange }: LatencyProps) {
  const [text, setText] = useState('20..200');
  const action = useAction(onChange);
  const set = () => call('/latency', { method: 'PUT', account, body: { latency: text } });
  return (
    <section class="panel">
      <h3>Latency</h3>
      <p>
        {maxMs === 0
          ? 'Answers are sent at once.'
          : `Answers are delayed by ${minMs} to ${maxMs} ms.`}
      </p>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(set);
        }}
      >
        <label>
          Milliseconds, or a range{' '}
          <input
            size={10}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit">Delay answers</button>
        <button
          type="button"
          onClick={() => action.run(() => call('/latency', { method: 'DELETE', account }))}
        >
          No delay
        </button>
      </form>
      <Errors sentences={action.errors} />
    </section>
  );
}
