import { realTimeMs } from '../../http/real-time.js';
import { describeExchange } from '../evidence.js';
import type { Exchange } from '../exchange.js';
import { CallFailed } from './call-failed.js';

const LONGEST_WAIT_MS = 60_000;
const FIRST_BACKOFF_MS = 1_000;

/**
 * How long a 429 asks to wait; without `Retry-After` a second, then twice as long each time. Throws a
 * `CallFailed` that breaks the run off if it is more than a minute.
 */
export function waitOf(exchange: Exchange, earlierWaits: number): number {
  const asked = askedWaitMs(exchange.answer.headers['retry-after']);
  const waitMs = asked ?? FIRST_BACKOFF_MS * 2 ** earlierWaits;
  if (waitMs <= LONGEST_WAIT_MS) return waitMs;
  const told = `asks to wait ${Math.ceil(waitMs / 1000)} s`;
  throw new CallFailed(describeExchange(exchange, told), 'breaks-off');
}

/** Seconds, or a date (RFC 9110, section 10.2.3); undefined for anything else. */
function askedWaitMs(text = ''): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - realTimeMs());
}
