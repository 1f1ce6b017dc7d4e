import type { DecisionId } from '#spec';
import type { Found } from './judge/table.js';
import { describeSample } from './seen/evidence.js';
import type { UnexplainedResponse } from './settle-report.js';

type Unexplained = NonNullable<Found['unexplained']>[number];

/**
 * The responses that no value of any decision predicts, each form of a request and status once, with
 * the decisions that they keep open.
 */
export function unexplainedIn(
  found: ReadonlyMap<DecisionId, Found>,
  decisions: readonly DecisionId[],
): readonly UnexplainedResponse[] {
  const responses = new Map<
    string,
    { readonly seen: Unexplained; readonly open: Set<DecisionId> }
  >();
  for (const decision of decisions) {
    const { verdict, unexplained = [] } = found.get(decision) ?? {};
    if (verdict !== 'undecided') continue;
    for (const seen of unexplained) {
      const response = describeSample(seen);
      const one = responses.get(response) ?? { seen, open: new Set() };
      responses.set(response, one);
      one.open.add(decision);
    }
  }
  return [...responses].map(([response, { seen, open }]) => ({
    response,
    ...(seen.view?.kind === 'ok' && { records: seen.view.records.length }),
    decisions: [...open],
  }));
}
