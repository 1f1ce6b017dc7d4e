import type { DecisionId } from '#spec';
import type { Observation } from './observers/observer.js';
import { observerOf } from './observers/observers.js';
import type { Plan } from './probes/probes.js';
import { keyOf, withoutLost, withoutRecovered } from './seen/lost-responses.js';
import type { Sample, Seen } from './seen/samples.js';
import { CallFailed } from './send/call-failed.js';
import type { createSender } from './send/sender.js';
import type { CompleteServiceOptions } from './settle-options.js';
import { conclude } from './verdict.js';
import { isRead, weighed } from './weigh-observations.js';

/** How many requests, at most, are sent again because no value describes their responses. */
const MOST_DOUBTFUL = 12;

/** Sends again what alone makes a verdict `none`: the service may have been down for a moment. */
export async function askDoubtfulAgain(
  seen: Seen,
  { decisions }: Plan,
  { ask, requests, brokenOff }: ReturnType<typeof createSender>,
  { maxRequests }: CompleteServiceOptions,
): Promise<void> {
  if (brokenOff() !== undefined) return;
  for (const { request } of doubtfulReads(decisions, seen).slice(0, MOST_DOUBTFUL)) {
    if (requests() < maxRequests) await ask(request).catch(passCallFailed);
  }
}

function passCallFailed(error: unknown): void {
  if (!(error instanceof CallFailed)) throw error;
}

/** The reads that make it `none`, so that it takes each of them again to say so. */
function doubtfulReads(decisions: readonly DecisionId[], seen: Seen): readonly Sample[] {
  const telling = { ...seen, samples: withoutLost(withoutRecovered(seen.samples)) };
  const readsFor = <Id extends DecisionId>(id: Id) => {
    const observer = observerOf(id);
    if (!observer) return [];
    const unseen = { verdict: 'could-not-check', reason: '' } as const;
    if (conclude(id, observer, telling, () => unseen).verdict !== 'none') return [];
    const { counted } = weighed(observer.observe(telling));
    const most = valueOfMost(counted);
    const against = counted.filter(({ explainedBy }) => !explainedBy.includes(most as never));
    return against.flatMap(({ samples }) => (samples.length === 1 ? samples : []));
  };
  const reads = new Map(
    decisions
      .flatMap(readsFor)
      .filter(isRead)
      .map((one) => [keyOf(one), one]),
  );
  return [...reads.values()];
}

function valueOfMost<Id extends DecisionId>(observations: readonly Observation<Id>[]) {
  const values = observations.flatMap(({ explainedBy }) => explainedBy);
  const timesOf = (value: unknown) => values.filter((one) => one === value).length;
  return [...new Set(values)].sort((one, other) => timesOf(other) - timesOf(one))[0];
}
