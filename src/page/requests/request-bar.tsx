import { call, type Schemas } from '../connection/call.js';
import type { Mock } from '../connection/use-mock.js';
import { Button } from '../parts/controls.js';
import { count, download, formatNumber } from '../parts/format.js';
import { Errors, useAction } from '../parts/use-action.js';
import { type Lane, LaneChoice } from './lane.js';
import { FilterFields } from './request-filter.js';
import type { ShownRequests } from './use-shown-requests.js';

interface BarProps {
  readonly mock: Mock;
  readonly lane: Lane;
  readonly shown: ShownRequests;
}

export function RequestBar({ mock, lane, shown }: BarProps) {
  const { all, isLoading, isLoaded, missing } = lane;
  const { passing } = shown;
  const action = useAction();
  return (
    <>
      <search class="bar">
        <LaneChoice {...{ mock, lane }} />
        <FilterFields {...shown.filter} />
        <span class="group">
          <span role="status" class="faint">
            {isLoading && all.length > 0 && 'Loading…'}
            {isLoaded && passing.length !== all.length && `${formatNumber(passing.length)} of `}
            {isLoaded &&
              (missing === 0
                ? count(all.length, 'request')
                : `${formatNumber(all.length)} of ${formatNumber(all.length + missing)} kept`)}
          </span>
          <Button aria-pressed={shown.isPaused} onClick={shown.togglePause}>
            Pause
          </Button>
          <Button
            disabled={passing.length === 0}
            title="Hides these requests; the mock keeps them"
            onClick={shown.clear}
          >
            Clear
          </Button>
          {(['HAR', 'JSON'] as const).map((format) => (
            <Button
              key={format}
              aria-label={`Download ${format}`}
              title={`Download as ${format}`}
              disabled={all.length === 0}
              onClick={() => action.run(() => save(lane.owners(), format))}
            >
              ↓ {format}
            </Button>
          ))}
        </span>
      </search>
      <Errors sentences={action.errors} />
    </>
  );
}

/** Downloads journals as an HTTP archive, or as the control plane lists them. */
async function save(owners: readonly string[], format: 'HAR' | 'JSON'): Promise<void> {
  const isHar = format === 'HAR';
  const read = (account: string) =>
    call<Schemas['Har'] & Schemas['Journal']>(isHar ? '/requests/har' : '/requests', { account });
  const [first, ...others] = await Promise.all(owners.map(read));
  if (!first) return;
  const whole = isHar
    ? { log: { ...first.log, entries: [first, ...others].flatMap(({ log }) => log.entries) } }
    : [first, ...others].flatMap(({ requests }) => requests);
  download(`requests.${format.toLowerCase()}`, 'application/json', JSON.stringify(whole, null, 2));
}
