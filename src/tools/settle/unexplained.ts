import type { DecisionId } from '#spec';
import { count } from '../../core/values/plural.js';
import type { Found } from './judge.js';
import { describeRequest, describeSample } from './seen/evidence.js';
import type { Sample } from './seen/samples.js';
import type { UnexplainedResponse } from './settle-report.js';
import type { Seen } from './views.js';

/**
 * The responses that no value of any decision predicts, each form of a request and status once, with
 * the decisions that they keep open.
 */
export function unexplainedIn(
  found: ReadonlyMap<DecisionId, Found>,
  decisions: readonly DecisionId[],
): readonly UnexplainedResponse[] {
  const responses = new Map<string, { readonly seen: Seen; readonly open: Set<DecisionId> }>();
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
    ...(seen.view.kind === 'ok' && { records: seen.view.records.length }),
    decisions: [...open],
  }));
}

/** Such as `5 responses to 2 requests, the last 3 s after the first`. */
export function restsOn(samples: readonly Sample[]): string {
  const times = samples.map(({ sentAtMs }) => sentAtMs).filter((ms) => !Number.isNaN(ms));
  const seconds = Math.round((Math.max(...times) - Math.min(...times)) / 1000);
  const requests = new Set(
    samples.map(({ request }) =>
      JSON.stringify([describeRequest(request), request.path, request.body]),
    ),
  );
  const later = times.length > 1 && seconds > 0 ? `, the last ${seconds} s after the first` : '';
  return `${count(samples.length, 'response')} to ${count(requests.size, 'request')}${later}`;
}
