import { describeExchange } from '../evidence.js';
import type { Exchange } from '../exchange.js';
import { CallFailed } from './call-failed.js';
import type { OutgoingRequest } from './transport.js';

const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Where an answer redirects to, if it does. Throws a `CallFailed` for another origin, to which no
 * token may go, and for a request that changes records: it could delete another than the named one.
 */
export function redirectOf(exchange: Exchange, { url, method }: OutgoingRequest) {
  const { status, headers } = exchange.answer;
  if (!REDIRECTS.includes(status)) return undefined;
  const { location = '' } = headers;
  const to = URL.canParse(location, url) ? new URL(location, url) : undefined;
  const isSameOrigin = to?.origin === new URL(url).origin;
  if (to && isSameOrigin && to.username === '' && method === 'GET') return to.href;
  const where = isSameOrigin ? 'a redirect' : 'a redirect to another origin';
  throw new CallFailed(describeExchange(exchange, `${where}, which is not followed`), 'none');
}
