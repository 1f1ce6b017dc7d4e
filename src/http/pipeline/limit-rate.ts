import { ProblemError } from '../../errors/problem-error.js';
import { createStep } from './exchange.js';

/** Refuses requests beyond the account's rate limit (section 8), by the account's clock. */
export const limitRate = createStep(
  ['account', 'decisions'],
  ({ account, decisions }, _request, _response, next) => {
    const limit = decisions.apply('rate-limit');
    if (limit === 'unlimited') return next();
    const { retryAfterMs } = account.faults.countRequest(limit, account.clock.now().getTime());
    if (retryAfterMs === undefined) return next();
    const seconds = Math.ceil(retryAfterMs / 1_000);
    throw new ProblemError(
      'too-many-requests',
      `The account may make ${limit.replace('/', ' requests in ')} and has made them; expected this one ${seconds} s later. Wait, or switch the decision.`,
      { decision: 'rate-limit', headers: { 'Retry-After': String(seconds) } },
    );
  },
);
