import { LEDGER } from '#spec';
import { describeSample } from '../seen/evidence.js';
import { mayBeLost } from '../seen/lost-responses.js';
import { isOfAccount, type Sample, type SampleResponse } from '../seen/samples.js';
import type { Observation, SeenData } from './observation.js';

const { form } = LEDGER['rate-limit'];

/** Reads a limit from `RateLimit` header fields; a 429 only shows that there is one (section 8). */
export function rateLimit(seen: SeenData): readonly Observation[] {
  // Made-up tokens, and requests without one, may have limits of their own.
  const samples = seen.samples.filter((one) => isOfAccount(one) && !mayBeLost(one));
  const limits = samples.flatMap((sample) => {
    const limit = limitOf(sample.response.headers);
    if (limit === undefined) return [];
    return form.test(limit)
      ? observed(sample, `its header fields show ${limit}`, limit)
      : observed(sample, 'its header fields show limits that no value describes');
  });
  if (limits.length > 0) return limits;
  return samples
    .filter(({ response }) => response.status === 429)
    .map((sample) => observed(sample, undefined, '100/1m', 'another limit'));
}

function observed(sample: Sample, told?: string, ...explainedBy: string[]): Observation {
  return { explainedBy, evidence: describeSample(sample, told), samples: [sample] };
}

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
