import { ProblemError } from '../errors/problem-error.js';
import type { Exchange, Step } from '../service/exchange.js';
import { memberOf } from '../values/json-value.js';

interface Moved {
  readonly isUsed: (exchange: Exchange) => boolean;
  readonly now: string;
}

const hasFormat = ({ query }: Exchange) => new URLSearchParams(query).has('format');

/** What earlier versions accepted, and what to send instead, by operationId. */
const MOVED: Readonly<Record<string, Moved>> = {
  listRequests: {
    isUsed: hasFormat,
    now: "The parameter 'format' was removed; expected a call without it. For an HTTP archive, call GET /__control/requests/har.",
  },
  getRequest: {
    isUsed: hasFormat,
    now: "The parameter 'format' was removed; expected a call without it. For an HTTP archive, call GET /__control/requests/{requestId}/har.",
  },
  waitForRequests: {
    isUsed: ({ body }) => memberOf(body, 'filter') !== undefined,
    now: `The member 'filter' was removed; expected its members beside 'count' and 'timeoutMs', such as {"operationId":"deleteContract","timeoutMs":5000}.`,
  },
};

export const tellMoved: Step = (exchange) => {
  const moved = MOVED[exchange.route?.operationId ?? ''];
  if (moved?.isUsed(exchange)) throw new ProblemError('invalid-request', moved.now);
};
