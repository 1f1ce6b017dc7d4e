import { LEDGER } from '../../decisions/ledger.js';
import { describeExchange } from '../evidence.js';
import type { Exchange } from '../exchange.js';
import type { Observation, Observer } from '../observation.js';

const { form } = LEDGER['rate-limit'];

/** What a 429 alone leaves open: any limit. */
const ANY_LIMIT = ['100/1m', 'another limit'];

/** Reads a limit from `RateLimit` header fields, and that there is one from a 429 (section 8). */
export const rateLimit: Observer<'rate-limit'> = {
  wanted: 'a RateLimit-Policy header field',
  isNeverAsked: 'it would take more requests than the service may allow',
  observe: ({ exchanges }) => {
    const limits = exchanges.flatMap((exchange): Observation<'rate-limit'>[] => {
      const limit = limitOf(exchange.answer.headers);
      if (limit === undefined) return [];
      const isOfForm = form.test(limit);
      const told = `its header fields show ${isOfForm ? limit : 'limits that no value describes'}`;
      return [{ explainedBy: isOfForm ? [limit] : [], evidence: describeExchange(exchange, told) }];
    });
    if (limits.length > 0) return limits;
    return exchanges
      .filter(({ answer }) => answer.status === 429)
      .map((exchange) => ({ explainedBy: ANY_LIMIT, evidence: describeExchange(exchange) }));
  },
};

/**
 * The limit as `100/60s`: of `RateLimit-Policy: "default";q=100;w=60`, of the earlier `100;w=60`, or
 * of `RateLimit-Limit: 100` beside a window. Undefined if none is shown completely.
 */
function limitOf(headers: Exchange['answer']['headers']): string | undefined {
  const policies = headers['ratelimit-policy'] ?? headers['ratelimit-limit'];
  const limits = (policies ?? '').split(',').flatMap((policy) => {
    const { quota, seconds, unit } = readPolicy(policy, headers['ratelimit-limit']);
    const isOfRequests = unit === undefined || unit === 'requests';
    return quota !== undefined && seconds !== undefined && isOfRequests
      ? [`${quota}/${seconds}s`]
      : [];
  });
  return limits.length === 0 ? undefined : [...new Set(limits)].join(', ');
}

function readPolicy(policy: string, limit: string | undefined) {
  const [name = '', ...parameters] = policy.split(';').map((part) => part.trim());
  const values = new Map(
    parameters.map((parameter) => {
      const [key = '', value = ''] = parameter.split('=');
      return [key.trim(), value.trim().replaceAll('"', '')];
    }),
  );
  const isNumber = (text: string | undefined) => /^\d+$/.test(text ?? '');
  const quota = [values.get('q'), name, limit].find(isNumber);
  return { quota, seconds: [values.get('w')].find(isNumber), unit: values.get('qu') };
}
