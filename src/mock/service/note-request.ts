import { ownText } from '../../core/values/own-text.js';
import { Clock } from '../accounts/clock.js';
import type { Journal } from '../accounts/journal/journal.js';
import type { Exchange, Step } from './exchange.js';

export function keepJournal(serverJournal: Journal): Step {
  return (exchange) => noteRequest(exchange, serverJournal);
}

/** Opens the request's entry in the journal of its account, or of the server if it reached none. */
export function noteRequest(exchange: Exchange, serverJournal: Journal): void {
  const { request, called, account, basePath } = exchange;
  const { route, stub } = called;
  const journal = account?.journal ?? serverJournal;
  const clock = account?.clock ?? new Clock();
  exchange.wasFrozen = clock.isFrozen;
  exchange.journal = journal;
  exchange.noted = journal.open({
    atMs: clock.now().getTime(),
    method: request.method,
    target: exchange.target,
    operationId: route?.operationId,
    template: route?.template ?? stub?.path,
    // Not the whole stub: it may be removed long before the request is.
    stub: stub && { id: stub.id, for: stub.for },
    // What Node joins takes two bytes a character.
    headerLines: ownText(request.headers.join('\n')),
    ...(basePath !== '' && { basePath }),
    ...(request.caller.isEncrypted && { isEncrypted: true }),
  });
}
