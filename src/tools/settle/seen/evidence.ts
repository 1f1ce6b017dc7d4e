import { ROUTES } from '#spec';
import { count } from '../../../core/values/plural.js';
import { cut } from '../../../core/values/received-value.js';
import { MADE_UP_PARAMETER } from './made-up-values.js';
import type { Sample, SampleRequest } from './samples.js';

const LONGEST = 60;

/** What reports append to a request whose token is missing or made up. */
export const TOKENS: Readonly<Record<SampleRequest['token'], string>> = {
  given: '',
  unknown: '',
  none: ' without a token',
  'made-up': ' with a made-up token',
  alike: ' with a made-up token like the given one',
};

/**
 * Describes a sample, and what it showed, in one line without personal data:
 * `GET /measurements?limit=0 -> 400, refused`.
 */
export function describeSample({ request, response }: Sample, told?: string): string {
  const line = `${describeRequest(request)} -> ${response.status}`;
  return told === undefined ? line : `${line}, ${told}`;
}

/** Describes a request, and a missing or made-up token, in one line without personal data. */
export function describeRequest(request: SampleRequest): string {
  const query = request.query.map(([name, value]) => {
    const parameter = cut(name, LONGEST);
    // A cursor may encode a record, and other parameters may name one.
    const isShown = value === '' || name === 'limit' || name === MADE_UP_PARAMETER;
    return `${parameter}=${isShown ? cut(value, LONGEST) : '…'}`;
  });
  const shown = query.length === 0 ? '' : `?${query.join('&')}`;
  // The id of a contract is the only value in a path that is not personal data.
  const route = ROUTES[request.operationId].replace('{contractId}', () =>
    cut(String(request.path.contractId), LONGEST),
  );
  return `${route}${shown}${TOKENS[request.token]}`;
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
