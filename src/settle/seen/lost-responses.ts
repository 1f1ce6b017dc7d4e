import { isAccepted, isRefusal, type Sample } from './samples.js';

/**
 * The samples without lost responses: failures of the service or of what is before it, bodies that
 * cannot be read, and error pages with a status that the service itself sends with another body.
 */
export function withoutLost(samples: readonly Sample[]): readonly Sample[] {
  const lost = new Set(lostIn(samples));
  return samples.filter((sample) => !lost.has(sample));
}

/** The samples without lost responses, but with the error pages that came again when asked again. */
export function withLastingPages(samples: readonly Sample[]): readonly Sample[] {
  const lost = new Set(lostIn(samples));
  const [once, again] = [new Set<string>(), new Set<string>()];
  for (const key of [...lost].map(keyOf)) (once.has(key) ? again : once).add(key);
  return samples.filter(
    (sample) => !lost.has(sample) || (isErrorPage(sample) && again.has(keyOf(sample))),
  );
}

/** The samples whose responses were lost on their way, and say nothing of the request. */
export function lostIn(samples: readonly Sample[]): readonly Sample[] {
  const own = samples.filter(
    (sample) => isRefusal(sample) && ['json', 'empty'].includes(sample.response.body.kind),
  );
  const ownStatuses = new Set(own.map(({ response }) => response.status));
  return samples.filter(
    (sample) =>
      isFailed(sample) || (isErrorPage(sample) && ownStatuses.has(sample.response.status)),
  );
}

/** True if the response may have been lost: another one may come if it is asked for again. */
export function mayBeLost(sample: Sample): boolean {
  return isFailed(sample) || isErrorPage(sample);
}

/** True for a failure of the service, and for a success that is no JSON. */
function isFailed(sample: Sample): boolean {
  const { status, body } = sample.response;
  return status >= 500 || status === 408 || (isAccepted(sample) && body.kind === 'text');
}

function isErrorPage(sample: Sample): boolean {
  return isRefusal(sample) && sample.response.body.kind === 'text';
}

/** The samples without those whose request had another response later that was not lost. */
export function withoutRecovered(samples: readonly Sample[]): readonly Sample[] {
  const latest = new Map<string, number>();
  for (const [index, sample] of samples.entries()) {
    if (!mayBeLost(sample)) latest.set(keyOf(sample), index);
  }
  return samples.filter(
    (sample, index) => !mayBeLost(sample) || (latest.get(keyOf(sample)) ?? -1) < index,
  );
}

function keyOf({ request }: Sample): string {
  const { operationId, path, query, body, token } = request;
  return JSON.stringify([operationId, path, query, body, token]);
}
