import type { Scenario } from '../../core/datasets/fixture/fixture.js';
import type { DecisionChanges } from '../../core/decisions/decision-changes.js';
import type { DecisionId } from '../../core/decisions/ledger.js';
import type { DecisionState } from '../../core/decisions/switch-decisions.js';
import { areEqual } from '../../core/store/are-equal.js';
import type { StubRequest } from '../../core/stubs/stub.js';
import { type StubsState, turnsKeyOf } from '../../core/stubs/stubs.js';
import { memberOf } from '../../core/values/json-value.js';
import type { components } from '../../generated/control.js';
import type { ClockState } from './clock.js';
import type { FaultRequest, FaultsState } from './faults.js';
import type { LatencyRange } from './latency.js';
import type { SavedAccount } from './snapshots.js';

type SavedParts = Omit<SavedAccount, 'store'>;

/**
 * What an account has changed besides its records, written as a scenario over `plain`: the state in
 * which it would open without a scenario. Faults and stubs are saved as if they were added now,
 * with the requests and responses that they have left.
 */
export function scenarioOf(saved: SavedParts, plain: SavedParts): Scenario {
  const [parts, without] = [saved, plain].map((one) => partsOf(one, plain));
  const changed = Object.entries(parts ?? {}).filter(
    ([name, part]) => !areEqual(part, memberOf(without, name)),
  );
  return Object.fromEntries(changed);
}

function partsOf(saved: SavedParts, plain: SavedParts): Scenario {
  return {
    faults: faultsLeft(saved.faults),
    stubs: stubsLeft(saved.stubs),
    clock: settingOf(saved.clock),
    latency: wordsOf(saved.latency),
    decisions: switches(saved.decisions, plain.decisions),
  };
}

function faultsLeft({ entries }: FaultsState): FaultRequest[] {
  return entries.flatMap(({ id, seen, fired, ...fault }) => {
    const { skip, times } = fault;
    if (times === fired) return [];
    const timesLeft = times === 'always' ? times : times - fired;
    return [{ ...fault, skip: Math.max(0, skip - seen), times: timesLeft } as FaultRequest];
  });
}

function stubsLeft({ entries, turns }: StubsState): StubRequest[] {
  return entries.map(({ stub: { id, for: owner, ...stub } }): StubRequest => {
    const { responses } = stub;
    if (!responses) return stub;
    const turn = turns[turnsKeyOf({ for: owner, id })] ?? 0;
    return { ...stub, responses: responses.slice(Math.min(turn, responses.length - 1)) };
  });
}

function settingOf({ frozenAtMs, aheadMs }: ClockState): components['schemas']['ClockSetting'] {
  if (frozenAtMs !== undefined) return { frozenAt: new Date(frozenAtMs).toISOString() };
  return aheadMs > 0 ? { advanceMs: aheadMs } : { real: true };
}

function wordsOf({ minMs, maxMs }: LatencyRange): number | string {
  return minMs === maxMs ? maxMs : `${minMs}..${maxMs}`;
}

/** The decisions that were switched, and where they were seen. */
function switches(saved: DecisionState, plain: DecisionState): DecisionChanges {
  const ids = Object.keys(saved.inForce) as DecisionId[];
  const switched = ids
    .filter((id) => saved.inForce[id] !== plain.inForce[id] || saved.seen[id] !== plain.seen[id])
    .map((id) => {
      const [value, seen] = [saved.inForce[id], saved.seen[id]];
      return [id, seen ? { value, seen } : value];
    });
  return Object.fromEntries(switched);
}
