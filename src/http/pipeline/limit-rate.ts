import type { RequestHandler } from 'express';
import { ProblemError } from '../../errors/problems.js';
import { exchangeOf } from './exchange.js';

/** Refuses what an account asks beyond its rate limit (section 8), by the account's clock. */
export const limitRate: RequestHandler = (_request, response, next) => {
  const { account, decisions } = exchangeOf(response);
  if (!account || !decisions) return next();
  const limit = decisions['rate-limit'];
  if (limit === 'unlimited') return next();
  const { retryAfterMs } = account.faults.countRequest(limit, account.clock.now().getTime());
  if (retryAfterMs === undefined) return next();
  const seconds = Math.ceil(retryAfterMs / 1_000);
  throw new ProblemError(
    'too-many-requests',
    `The account may make ${limit.replace('/', ' requests in ')} and has made them; expected this one ${seconds} s later. Wait, or switch the decision.`,
    { decision: 'rate-limit', headers: { 'Retry-After': String(seconds) } },
  );
};
