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

/** Paths of earlier versions, and what to call instead. */
const MOVED_PATHS: Readonly<Record<string, string>> = {
  '/account/failure': `The path '/account/failure' was removed; expected PUT /__control/account/test with the same message, as in {"outcome":"failed","message":"expected 404 to be 200"}.`,
};

export const tellMovedPath: Step = ({ endpoint, path }) => {
  const now = endpoint ? undefined : MOVED_PATHS[path];
  if (now !== undefined) throw new ProblemError('unknown-path', now);
};

export const tellMoved: Step = (exchange) => {
  const moved = MOVED[exchange.route?.operationId ?? ''];
  if (moved?.isUsed(exchange)) throw new ProblemError('invalid-request', moved.now);
};
