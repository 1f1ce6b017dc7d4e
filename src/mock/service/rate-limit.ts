import { ProblemError } from '../../core/errors/problem-error.js';
import { parseDurationMs } from '../../core/values/time.js';
import type { Account } from '../accounts/account.js';
import type { Step } from './exchange.js';

/** Refuses requests beyond the account's rate limit (section 8), by the account's clock. */
export const limitRate: Step = (exchange) => {
  const { account, decisions } = exchange;
  // A stub may need no token.
  if (!account || !decisions) return;
  const limit = decisions.apply('rate-limit');
  if (limit === 'unlimited') return;
  const retryAfterMs = countRequest(account, limit);
  if (retryAfterMs === undefined) return;
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const { clock } = account;
  const retry = clock.isFrozen
    ? `The account's clock is frozen at ${clock.now().toISOString()}: advance it by ${seconds} s`
    : `Retry in ${seconds} s`;
  throw new ProblemError(
    'too-many-requests',
    `Rate limit reached (${limit.replace('/', ' per ')}). ${retry}, or switch the decision.`,
    { decision: 'rate-limit', headers: { 'Retry-After': String(seconds) } },
  );
};

/**
 * Counts a request against a limit such as `100/1m`. Returns the milliseconds until the window ends
 * if the request is beyond the limit.
 */
function countRequest({ faults, clock }: Account, limit: string): number | undefined {
  const [most = '', length = ''] = limit.split('/');
  const lengthMs = parseDurationMs(length);
  const nowMs = clock.now().getTime();
  const { window } = faults;
  const isOpen = window && nowMs >= window.startedAtMs && nowMs < window.startedAtMs + lengthMs;
  const { startedAtMs, requests } = isOpen ? window : { startedAtMs: nowMs, requests: 0 };
  faults.window = { startedAtMs, requests: requests + 1 };
  return requests < Number(most) ? undefined : startedAtMs + lengthMs - nowMs;
}
