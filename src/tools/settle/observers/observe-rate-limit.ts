import { LEDGER } from '#spec';
import { isOfAccount, type SampleResponse } from '../seen/samples.js';
import { type Observer, tell } from './observer.js';

const { form } = LEDGER['rate-limit'];

/** Reads a limit from `RateLimit` header fields; a 429 only shows that there is one (section 8). */
export const rateLimit: Observer<'rate-limit'> = {
  wanted: 'a RateLimit-Policy header field',
  whyNeverAsked: 'Finding the limit takes more requests than the service may allow.',
  observe: (seen) => {
    // Made-up tokens, and requests without one, may have limits of their own.
    const samples = seen.samples.filter(isOfAccount);
    const limits = samples.flatMap((sample) => {
      const limit = limitOf(sample.response.headers);
      if (limit === undefined) return [];
      return form.test(limit)
        ? tell(sample, `its header fields show ${limit}`, limit)
        : tell(sample, 'its header fields show limits that no value describes');
    });
    if (limits.length > 0) return limits;
    return samples
      .filter(({ response }) => response.status === 429)
      .map((sample) => tell(sample, undefined, '100/1m', 'another limit'));
  },
};

/**
 * The limit as `100/60s`, from `RateLimit-Policy: "default";q=100;w=60`, the older `100;w=60`, or
 * `RateLimit-Limit: 100` beside a window. Undefined unless both the quota and the window are shown.
 */
function limitOf(headers: SampleResponse['headers']): string | undefined {
  const limit = headers['ratelimit-limit'];
  const policies = headers['ratelimit-policy'] ?? limit ?? '';
  const limits = policies.split(',').flatMap((policy) => {
    const [name = '', ...parameters] = policy.split(';').map((part) => part.trim());
    const {
      q,
      w: seconds,
      qu: unit = 'requests',
    } = Object.fromEntries(parameters.map(readParameter));
    const quota = [q, name, limit].find(isNumber);
    const isComplete = quota !== undefined && isNumber(seconds) && unit === 'requests';
    return isComplete ? [`${quota}/${seconds}s`] : [];
  });
  return limits.length === 0 ? undefined : [...new Set(limits)].join(', ');
}

function readParameter(parameter: string): readonly [name: string, value: string] {
  const [name = '', value = ''] = parameter.split('=');
  return [name.trim(), value.trim().replaceAll('"', '')];
}

const isNumber = (text = '') => /^\d+$/.test(text);
