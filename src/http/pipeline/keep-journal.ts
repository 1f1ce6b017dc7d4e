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

/** Notes a request in a journal, by the time of a clock, and later how it ended. */
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
    template: exchange.route?.template ?? exchange.stub?.path,
    stub: exchange.stub,
    headerLines: request.rawHeaders.join('\n'),
    ...(request.baseUrl !== '' && { basePath: request.baseUrl }),
    ...(request.secure && { isEncrypted: true }),
  });
  exchange.noted = noted;
  response.once('close', () => {
    const answerBytes = Number(response.getHeader('Content-Length'));
    if (Number.isInteger(answerBytes)) noted.answerBytes = answerBytes;
    // A frozen clock measures no time: the same requests give the same journal.
    const isStopped = wasFrozen || clock.isFrozen;
    noted.durationMs = isStopped ? 0 : Math.round(elapsedMs() - startedAtMs);
    noted.outcome = response.writableFinished ? 'answered' : 'aborted';
    journal.close(noted);
  });
}
