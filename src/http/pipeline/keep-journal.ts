import type { Request, Response } from 'express';
import type { Clock } from '../../accounts/clock.js';
import type { Journal } from '../../accounts/journal/journal.js';
import { elapsedMs } from '../real-time.js';
import { createStep, exchangeOf } from './exchange.js';

/** Opens the account's exchange in its journal, which closes when the answer has left. */
export const keepJournal = createStep(['account'], ({ account }, request, response, next) => {
  noteRequest(request, response, account.journal, account.clock);
  next();
});

/** Notes a request in a journal, by the time of a clock; its end is noted when it comes. */
export function noteRequest(
  request: Request,
  response: Response,
  journal: Journal,
  clock: Pick<Clock, 'now' | 'isFrozen'>,
): void {
  const exchange = exchangeOf(response);
  const startedAtMs = elapsedMs();
  const wasFrozen = clock.isFrozen;
  const noted = journal.open({
    atMs: clock.now().getTime(),
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
    // Where the clock stands no time passes: the same requests make the same journal.
    const stood = wasFrozen || clock.isFrozen;
    noted.durationMs = stood ? 0 : Math.round(elapsedMs() - startedAtMs);
    noted.outcome = response.writableFinished ? 'answered' : 'aborted';
  });
}
