import type { Logger } from 'pino';
import { excerptOf } from '../../core/values/excerpt.js';
import { shown } from '../../core/values/received-value.js';
import type { Known } from '../accounts/journal/hide-credentials.js';
import { describeRequest } from '../accounts/journal/journal-request.js';
import { ShownRequest } from '../accounts/journal/shown-request.js';
import type { Exchange, Subscriber } from '../service/exchange.js';
import { isLost } from '../service/respond.js';

/**
 * Logs one line for each request when it ends, with the reason if it was refused. Level `debug`
 * adds a line for each change by the control plane, `trace` one for each entry of a journal.
 */
export function logRequests(logger: Logger, known: Known): Subscriber {
  return {
    onEnd(exchange, isDelivered) {
      const { request, basePath, platform, startedAtMs } = exchange;
      const { called, problem, response } = exchange;
      const { route, stub } = called;
      const { target: url, hide } = shownOf(exchange, known);
      const status = response && !isLost(response.delivery) ? response.status : undefined;
      const line = {
        ...namesOf(exchange),
        method: request.method,
        url: basePath + url,
        ...(status !== undefined && { status }),
        durationMs: Math.round((platform.elapsedMs() - startedAtMs) * 10) / 10,
        ...(route && { operationId: route.operationId }),
        ...(stub && { stub: stub.id }),
        ...(problem && { problem: problem.problem }),
        ...(problem?.cause !== undefined && { err: withoutCredentials(problem.cause, hide) }),
        ...(!isDelivered && !exchange.hasFailed && { isAborted: true }),
      };
      const level = (status ?? 0) >= 500 ? 'error' : 'info';
      const ending = isDelivered ? 'answered' : 'aborted';
      logger[level](line, problem ? hide(problem.ground.inShort ?? problem.message) : ending);
      logDetails(logger, exchange, known);
    },
  };
}

/** Logs each defect of the mock that no problem explains, even where requests are not logged. */
export function logFailures(logger: Logger, known: Known): Subscriber {
  return {
    onFailure(exchange, reason) {
      const { target: url, hide } = shownOf(exchange, known);
      const line = {
        ...namesOf(exchange),
        ...{ method: exchange.request.method, url: exchange.basePath + url },
        err: withoutCredentials(reason, hide),
      };
      logger.error(line, 'The mock failed while answering this request. Please report it.');
    },
  };
}

/** The request as it is shown; the control plane's have no entry in a journal. */
function shownOf({ request, target, noted, called, body }: Exchange, known: Known): ShownRequest {
  const sent = { target, headerLines: request.headers.join('\n') };
  return new ShownRequest(noted ?? { ...sent, ...(called.kind === 'control' && { body }) }, known);
}

/** A copy of an error and its causes, since their messages may quote the request. */
function withoutCredentials(thrown: unknown, hide: ShownRequest['hide']): Error {
  const chain: Error[] = [];
  for (let one = thrown; one instanceof Error && !chain.includes(one); one = one.cause)
    chain.push(one);
  const { name, message } = chain[0] ?? new Error(String(thrown));
  const stack = hide(chain.map((one) => one.stack ?? '').join('\ncaused by: ') || message);
  return Object.assign(new Error(hide(message)), { name, stack });
}

/** The account and journal number, which every line about a request names. */
function namesOf({ account, noted }: Exchange) {
  return { ...(account && { account: account.owner.name }), ...(noted && { request: noted.id }) };
}

function logDetails(logger: Logger, exchange: Exchange, known: Known): void {
  const { request, called, noted, body, response } = exchange;
  const { kind, route } = called;
  if (noted && logger.isLevelEnabled('trace')) {
    logger.trace(
      { ...namesOf(exchange), details: describeRequest(noted, known) },
      `request ${noted.id}`,
    );
  }
  const isChange = kind === 'control' && !['GET', 'HEAD'].includes(request.method);
  const isDone = response !== undefined && response.status < 400;
  if (!route || !isChange || !isDone || !logger.isLevelEnabled('debug')) return;
  const whole = excerptOf(body, { maxElements: 200 });
  const { hide } = shownOf(exchange, known);
  const details = body === undefined ? {} : { details: shown(hide(whole)) };
  logger.debug({ ...namesOf(exchange), ...details }, route.operationId);
}
