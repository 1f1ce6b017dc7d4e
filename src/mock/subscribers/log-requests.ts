import type { Logger } from 'pino';
import { shown } from '../../core/values/received-value.js';
import { describeRequest } from '../accounts/journal/journal-request.js';
import { redactionOf, redactRefusal, redactTarget } from '../accounts/journal/redact-request.js';
import type { IsToken, Redaction } from '../accounts/journal/redact-secrets.js';
import type { Exchange, Subscriber } from '../service/exchange.js';
import { isLost } from '../service/respond.js';

/**
 * Logs one line for each request when it ends, with the reason if it was refused. Level `debug`
 * adds a line for each change by the control plane, `trace` one for each entry of a journal.
 */
export function logRequests(logger: Logger, isToken: IsToken): Subscriber {
  return {
    onEnd(exchange, isDelivered) {
      const { request, basePath, target, platform, startedAtMs } = exchange;
      const { called, problem, noted, response } = exchange;
      const { route, stub } = called;
      const sent = noted ?? { target, headerLines: request.headers.join('\n') };
      const redaction = redactionOf(sent, isToken);
      const status = response && !isLost(response.delivery) ? response.status : undefined;
      const line = {
        ...namesOf(exchange),
        method: request.method,
        url: basePath + redactTarget({ ...sent, target }, redaction),
        ...(status !== undefined && { status }),
        durationMs: Math.round((platform.elapsedMs() - startedAtMs) * 10) / 10,
        ...(route && { operationId: route.operationId }),
        ...(stub && { stub: stub.id }),
        ...(problem && { problem: problem.problem }),
        ...(problem?.cause !== undefined && { err: withoutSecrets(problem.cause, redaction) }),
        ...(!isDelivered && { isAborted: true }),
      };
      const level = (status ?? 0) >= 500 ? 'error' : 'info';
      const { ground = {} } = problem ?? {};
      const outcome = ground.inShort ?? problem?.message;
      const ending = isDelivered ? 'answered' : 'aborted';
      logger[level](
        line,
        outcome === undefined ? ending : redactRefusal(outcome, redaction, ground),
      );
      logDetails(logger, target, exchange, isToken);
    },
  };
}

/** A redacted copy of an error and its causes, since their messages may quote the request. */
function withoutSecrets(thrown: unknown, redaction: Redaction): Error {
  const chain: Error[] = [];
  for (let one = thrown; one instanceof Error && !chain.includes(one); one = one.cause)
    chain.push(one);
  const { name, message } = chain[0] ?? new Error(String(thrown));
  const stacks = chain.map(({ stack }) => stack ?? '').join('\ncaused by: ');
  const shown = new Error(redaction.lines(message));
  return Object.assign(shown, { name, stack: redaction.lines(stacks) });
}

/** The account and journal number, which every line about a request names. */
function namesOf({ account, noted }: Exchange) {
  return { ...(account && { account: account.owner.name }), ...(noted && { request: noted.id }) };
}

function logDetails(logger: Logger, target: string, exchange: Exchange, isToken: IsToken): void {
  const { request, called, noted, body, response } = exchange;
  const { kind, route } = called;
  if (noted && logger.isLevelEnabled('trace')) {
    logger.trace(
      { ...namesOf(exchange), details: describeRequest(noted, isToken) },
      `request ${noted.id}`,
    );
  }
  const isChange = kind === 'control' && !['GET', 'HEAD'].includes(request.method);
  const isDone = response !== undefined && response.status < 400;
  if (route && isChange && isDone && logger.isLevelEnabled('debug')) {
    const redaction = redactionOf({ target, headerLines: request.headers.join('\n') }, isToken);
    const shownBody = redaction.value(body);
    const details = body === undefined ? {} : { details: shown(redaction.hide(shownBody)) };
    logger.debug({ ...namesOf(exchange), ...details }, route.operationId);
  }
}
