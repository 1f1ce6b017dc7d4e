import type { DecisionId } from '../decisions/ledger.js';
import { violationsOf } from './conformity.js';
import type { Seen } from './observation.js';
import { OBSERVERS } from './observers/observers.js';
import type { SettleOptions } from './settle-options.js';
import type { SettleReport } from './settle-report.js';
import { compared, valuesInForce } from './values-in-force.js';
import { conclude, type ReasonOf } from './verdict.js';

/** What a report says of what was seen. */
export function concludeAll(
  decisions: readonly DecisionId[],
  seen: Seen,
  nothingSeen: ReasonOf,
  options: Pick<SettleOptions, 'inForce'>,
): Pick<SettleReport, 'verdicts' | 'violations'> {
  const inForce = valuesInForce(options);
  const concludeOne = <Id extends DecisionId>(id: Id) =>
    compared(conclude(id, OBSERVERS[id], seen, nothingSeen), inForce);
  return {
    verdicts: decisions.map(concludeOne),
    violations: violationsOf(seen),
  };
}
