import { type DecisionId, ROUTES } from '#spec';
import type { Observation } from './observers/observer.js';
import { keyOf } from './seen/lost-responses.js';
import type { Sample } from './seen/samples.js';

const FICKLE = 'the same kind of request got different responses';

/**
 * Tells the observations that count from the doubtful ones: something else may explain these, or the
 * same kind of request got another response.
 */
export function weighed<Id extends DecisionId>(observations: readonly Observation<Id>[]) {
  const groups = new Map<string, Observation<Id>[]>();
  for (const one of observations) {
    const kind = one.isDoubtful ? undefined : kindOf(one);
    if (kind === undefined) continue;
    const group = groups.get(kind);
    if (group) group.push(one);
    else groups.set(kind, [one]);
  }
  const fickle = new Set([...groups.values()].filter(differ).flat());
  const told = observations.map((one) =>
    fickle.has(one) ? { ...one, isDoubtful: true, open: one.open ?? FICKLE } : one,
  );
  return {
    counted: told.filter(({ isDoubtful }) => !isDoubtful),
    doubtful: told.filter(({ isDoubtful }) => isDoubtful),
  };
}

/** The kind of an observation: unless it has one, the GET request whose response it rests on. */
function kindOf({
  kind,
  samples,
}: Pick<Observation<DecisionId>, 'kind' | 'samples'>): string | undefined {
  const [sample, another] = samples;
  const isOfOne = sample && !another && isRead(sample);
  return kind ?? (isOfOne ? keyOf(sample) : undefined);
}

export function isRead({ request }: Sample): boolean {
  return ROUTES[request.operationId].startsWith('GET ');
}

/** True if no value explains all of these, and not each of their samples showed the same. */
function differ<Id extends DecisionId>(alike: readonly Observation<Id>[]): boolean {
  const shown = new Map<Sample | undefined, string>();
  for (const { samples, explainedBy } of alike) {
    shown.set(samples[0], `${shown.get(samples[0]) ?? ''};${explainedBy.join()}`);
  }
  const isCommon = alike[0]?.explainedBy.some((value) =>
    alike.every(({ explainedBy }) => explainedBy.includes(value)),
  );
  return !isCommon && new Set(shown.values()).size > 1;
}
