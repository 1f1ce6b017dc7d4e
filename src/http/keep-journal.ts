import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from '../control/clock.js';
import type { Journal } from '../control/journal.js';
import { exchangeOf } from './exchange.js';

/** Opens the account's exchange in its journal, which closes when the answer has left. */
export const keepJournal: RequestHandler = (request, response, next) => {
  const { account } = exchangeOf(response);
  if (account) noteRequest(request, response, account.journal, account.clock);
  next();
};

/** Notes a request in a journal, by the time of a clock; its end is noted when it comes. */
export function noteRequest(
  request: Request,
  response: Response,
  journal: Journal,
  clock: Pick<Clock, 'now'>,
): void {
  const exchange = exchangeOf(response);
  const atMs = clock.now().getTime();
  const noted = journal.open({
    atMs,
    method: exchange.method ?? request.method,
    target: request.originalUrl,
    operationId: exchange.route?.operationId,
    template: exchange.route?.template,
    headerLines: request.rawHeaders.join('\n'),
  });
  exchange.noted = noted;
  response.once('close', () => {
    const answerBytes = Number(response.getHeader('Content-Length'));
    if (Number.isInteger(answerBytes)) noted.answerBytes = answerBytes;
    noted.durationMs = clock.now().getTime() - atMs;
    noted.outcome = response.writableFinished ? 'answered' : 'aborted';
  });
}
