import type { Logger } from 'pino';
import type { ProblemError } from '../../core/errors/problem-error.js';
import { documentedBy, documentedPart } from '../../core/openapi/documented-part.js';
import type { SchemaAt } from '../../core/openapi/references.js';
import { excerptOf } from '../../core/values/excerpt.js';
import { shown } from '../../core/values/received-value.js';
import { describeRequest } from '../accounts/journal/journal-request.js';
import { type Reader, ShownRequest } from '../accounts/journal/shown-request.js';
import type { Exchange, Subscriber } from '../service/exchange.js';
import { withDocumentedQuotes } from '../service/quote-documented.js';
import { isLost } from '../service/respond.js';

/**
 * Logs one line for each request when it ends, with the reason if it was refused. Level `debug`
 * adds a line for each change by the control plane, `trace` one for each entry of a journal.
 */
export function logRequests(logger: Logger, reader: Reader): Subscriber {
  return {
    onEnd(exchange, isDelivered) {
      const { request, basePath, target, platform, startedAtMs } = exchange;
      const { called, problem, response } = exchange;
      const { route, stub } = called;
      const documented = documentedOf(exchange);
      const sent = { target, headerLines: request.headers.join('\n'), documented };
      const { target: url, hide } = new ShownRequest(sent, reader);
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
        ...(!isDelivered && { isAborted: true }),
      };
      const level = (status ?? 0) >= 500 ? 'error' : 'info';
      const ending = isDelivered ? 'answered' : 'aborted';
      logger[level](line, problem ? hide(outcomeOf(problem, exchange, reader)) : ending);
      logDetails(logger, exchange, reader);
    },
  };
}

/** What is documented of a request; the control plane's have no entry in a journal. */
function documentedOf({ noted, called }: Exchange): SchemaAt | undefined {
  return noted?.documented ?? called.route?.schemaAt;
}

function outcomeOf(problem: ProblemError, exchange: Exchange, { values }: Reader): string {
  const chosen = withDocumentedQuotes(problem, documentedOf(exchange));
  const { message, ground } = (values === 'documented' && chosen) || problem;
  return ground.inShort ?? message;
}

/** A copy of an error and its causes, since their messages may quote the request. */
function withoutCredentials(thrown: unknown, hide: ShownRequest['hide']): Error {
  const chain: Error[] = [];
  for (let one = thrown; one instanceof Error && !chain.includes(one); one = one.cause)
    chain.push(one);
  const { name, message } = chain[0] ?? new Error(String(thrown));
  const stack = hide(chain.map((one) => one.stack ?? '').join('\ncaused by: '));
  return Object.assign(new Error(hide(message)), { name, stack });
}

/** The account and journal number, which every line about a request names. */
function namesOf({ account, noted }: Exchange) {
  return { ...(account && { account: account.owner.name }), ...(noted && { request: noted.id }) };
}

function logDetails(logger: Logger, exchange: Exchange, reader: Reader): void {
  const { request, target, called, noted, body, response } = exchange;
  const { kind, route } = called;
  if (noted && logger.isLevelEnabled('trace')) {
    logger.trace(
      { ...namesOf(exchange), details: describeRequest(noted, reader) },
      `request ${noted.id}`,
    );
  }
  const isChange = kind === 'control' && !['GET', 'HEAD'].includes(request.method);
  const isDone = response !== undefined && response.status < 400;
  if (!route || !isChange || !isDone || !logger.isLevelEnabled('debug')) return;
  const whole = excerptOf(body, { mostElements: 200 });
  const { hide } = new ShownRequest({ target, headerLines: request.headers.join('\n') }, reader);
  const part =
    reader.values === 'all' ? whole : documentedPart(whole, documentedBy(route.schemaAt, 'body'));
  const details = body === undefined ? {} : { details: shown(hide(part)) };
  logger.debug({ ...namesOf(exchange), ...details }, route.operationId);
}
