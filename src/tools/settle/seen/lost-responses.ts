import { isAccepted, isRefusal, type Sample } from './samples.js';

/** True if the response may have been lost, so that the request is worth sending again. */
export function mayBeLost(sample: Sample): boolean {
  return isFailed(sample) || isErrorPage(sample);
}

/** True for a failure or timeout of the service, and for a success with text that is not JSON. */
function isFailed(sample: Sample): boolean {
  const { status, body } = sample.response;
  return status >= 500 || status === 408 || (isAccepted(sample) && body.kind === 'text');
}

function isErrorPage(sample: Sample): boolean {
  return isRefusal(sample) && sample.response.body.kind === 'text';
}

/** Drops samples that may be lost if the same request got a response later. */
export function withoutRecovered(samples: readonly Sample[]): readonly Sample[] {
  const latest = new Map<string, number>();
  for (const [index, sample] of samples.entries()) {
    if (!mayBeLost(sample)) latest.set(keyOf(sample), index);
  }
  return samples.filter(
    (sample, index) => !mayBeLost(sample) || (latest.get(keyOf(sample)) ?? -1) < index,
  );
}

/** The same for samples of the same request. */
export function keyOf({ request }: Pick<Sample, 'request'>): string {
  const { operationId, path, query, body, token } = request;
  return JSON.stringify([operationId, path, query, body, token]);
}
