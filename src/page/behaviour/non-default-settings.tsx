import { useEffect } from 'preact/hooks';
import { type Call, call } from '../connection/call.js';
import type { StreamedRequest } from '../connection/request-log.js';
import { Button } from '../parts/controls.js';
import { Errors, useAction } from '../parts/use-action.js';
import { faultWords, isHolding } from './faults-panel.js';
import type { Facts, ViewProps } from './use-behaviour.js';

/** A setting that may differ from its default, and the call that resets it. */
interface Deviation {
  /** Undefined if it has its default. */
  readonly words: string | undefined;
  /** True of a fault that holds requests. */
  readonly holds?: boolean;
  readonly end: Call & { readonly path: string };
}

function deviationsOf(
  { faults, latency, clock, decisions }: Facts,
  requests: readonly StreamedRequest[],
): Deviation[] {
  const { minMs, maxMs } = latency;
  const { now, isFrozen, isSet } = clock;
  return [
    ...faults.map((fault): Deviation => {
      const held = requests.filter((one) => isHolding(fault, one)).length;
      return {
        words: faultWords(fault, held),
        holds: held > 0,
        end: { method: 'DELETE', path: `/faults/${fault.id}` },
      };
    }),
    {
      words:
        maxMs === 0 ? undefined : `Latency ${minMs === maxMs ? maxMs : `${minMs}–${maxMs}`} ms`,
      end: { method: 'DELETE', path: '/latency' },
    },
    {
      words: isSet ? `Clock ${isFrozen ? 'frozen at' : 'set to'} ${now}` : undefined,
      end: { method: 'PUT', path: '/clock', body: { real: true } },
    },
    ...decisions.map(
      ({ id, value, default: byDefault, isServerWide }): Deviation => ({
        words: value === byDefault || isServerWide ? undefined : `${id}: ${value}`,
        end: { method: 'PATCH', path: '/decisions', body: { [id]: byDefault } },
      }),
    ),
  ].filter(({ words }) => words !== undefined);
}

export function NonDefaultSettings({ behaviour, mock }: Omit<ViewProps, 'route'>) {
  const { account, value, reload } = behaviour;
  const action = useAction(reload);
  const requests = mock.log.list(account ?? '');
  const fired = requests.find(({ fault }) => fault !== undefined);
  // Else the counts of a fault would be seconds behind the list of requests.
  useEffect(reload, [account, fired?.id, fired?.outcome]);
  const deviations = value ? deviationsOf(value, requests) : [];
  if (account === undefined || deviations.length === 0) return null;
  const endAll = (ended: readonly Deviation[]) =>
    action.run(async () => {
      for (const { end } of ended) await call(end.path, { account, ...end });
    });
  return (
    <section class="not-default" aria-label="Non-default settings">
      <ul>
        {deviations.map((one) => (
          <li key={`${one.end.path} ${one.words}`} class="chip warn">
            {one.words}{' '}
            <Button
              aria-label={one.holds ? undefined : `End ${one.words}`}
              title={one.holds ? 'Removes the fault' : 'Back to the built-in default'}
              onClick={() => endAll([one])}
            >
              {one.holds ? 'Let go' : '×'}
            </Button>
          </li>
        ))}
      </ul>
      <Button
        disabled={action.isRunning}
        title="Even if the mock was started with other settings. To return to those, reset the account."
        onClick={() => endAll(deviations)}
      >
        Use built-in defaults
      </Button>
      <Errors sentences={action.errors} />
    </section>
  );
}
