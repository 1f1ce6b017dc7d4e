import { ProblemError } from '../errors/problem-error.js';
import type { Exchange, Step } from '../service/exchange.js';
import { memberOf } from '../values/json-value.js';

interface Moved {
  readonly isUsed: (exchange: Exchange) => boolean;
  readonly now: string;
}

const hasFormat = ({ query }: Exchange) => new URLSearchParams(query).has('format');

/** What an earlier version had elsewhere, by the operation that had it. */
const MOVED: Readonly<Record<string, Moved>> = {
  listRequests: {
    isUsed: hasFormat,
    now: 'Received the parameter format; an HTTP archive is at GET /__control/requests/har.',
  },
  getRequest: {
    isUsed: hasFormat,
    now: 'Received the parameter format; an HTTP archive is at GET /__control/requests/{requestId}/har.',
  },
  waitForRequests: {
    isUsed: ({ body }) => memberOf(body, 'filter') !== undefined,
    now: 'Received the member filter; what it has stands beside count and timeoutMs, such as {"operationId":"deleteContract","timeoutMs":5000}.',
  },
};

/** Tells who calls something as it was in an earlier version how it is called now. */
export const tellMoved: Step = (exchange) => {
  const moved = MOVED[exchange.route?.operationId ?? ''];
  if (moved?.isUsed(exchange)) throw new ProblemError('invalid-request', moved.now);
};
