import { call } from '../connection/call.js';
import { Button } from '../parts/controls.js';
import { Errors, useAction } from '../parts/use-action.js';
import type { Facts, Situation } from './use-situation.js';

/** Something that may differ from the default, and the call that ends it. */
interface Deviation {
  readonly id: string;
  readonly isDefault: boolean;
  readonly words: string;
  readonly path: string;
  readonly end: { readonly method: string; readonly body?: object };
}

/** A clock that differs by more than this was set. */
const CLOCK_TOLERANCE_MS = 5_000;

/** What of the situation is not the default. */
function deviationsOf(facts: Facts): Deviation[] {
  const { minMs, maxMs } = facts.latency;
  const { now, isFrozen } = facts.clock;
  const faults = facts.faults.map(
    ({ id, kind, status, operationId, path = operationId, times, fired }): Deviation => ({
      id: `fault ${id}`,
      isDefault: times !== 'always' && fired >= times,
      words: `Fault ${status ?? kind}${path ? ` on ${path}` : ''}`,
      path: `/faults/${id}`,
      end: { method: 'DELETE' },
    }),
  );
  const latency: Deviation = {
    id: 'latency',
    isDefault: maxMs === 0,
    words: `Latency ${minMs === maxMs ? maxMs : `${minMs}–${maxMs}`} ms`,
    path: '/latency',
    end: { method: 'DELETE' },
  };
  const clock: Deviation = {
    id: 'clock',
    isDefault: !isFrozen && Math.abs(new Date(now).getTime() - Date.now()) <= CLOCK_TOLERANCE_MS,
    words: `Clock ${isFrozen ? 'frozen at' : 'set to'} ${now}`,
    path: '/clock',
    end: { method: 'PUT', body: { real: true } },
  };
  const decisions = facts.decisions.map(
    ({ id, value, default: byDefault, isServerWide }): Deviation => ({
      id: `decision ${id}`,
      isDefault: value === byDefault || isServerWide,
      words: `${id}: ${value}`,
      path: '/decisions',
      end: { method: 'PATCH', body: { [id]: byDefault } },
    }),
  );
  return [...faults, latency, clock, ...decisions].filter(({ isDefault }) => !isDefault);
}

/** Everything about the account that is not the default, each with a button that ends it. */
export function NotDefault({ situation }: { readonly situation: Situation }) {
  const { account, value, reload } = situation;
  const action = useAction(reload);
  const deviations = value ? deviationsOf(value) : [];
  if (account === undefined || deviations.length === 0) return null;
  const endAll = (ended: readonly Deviation[]) =>
    action.run(async () => {
      for (const { path, end } of ended) await call(path, { account, ...end });
    });
  return (
    <section class="not-default" aria-label="Not the default">
      <ul>
        {deviations.map((one) => (
          <li key={one.id}>
            {one.words}{' '}
            <Button aria-label={`End ${one.words}`} onClick={() => endAll([one])}>
              ×
            </Button>
          </li>
        ))}
      </ul>
      <Button disabled={action.isRunning} onClick={() => endAll(deviations)}>
        Back to the defaults
      </Button>
      <Errors sentences={action.errors} />
    </section>
  );
}
