import type { SchemaAt } from '../../core/openapi/references.js';
import { namedValues } from '../../core/stubs/named-values.js';
import { Clock } from '../accounts/clock.js';
import type { Journal } from '../accounts/journal/journal.js';
import type { Exchange, Step } from './exchange.js';

export function keepJournal(serverJournal: Journal): Step {
  return (exchange) => noteRequest(exchange, serverJournal);
}

/** What the document or a stub names of the request; undefined if that is nothing. */
export function documentedOf({ route, stub }: Exchange): SchemaAt | undefined {
  return route?.schemaAt ?? (stub && namedValues(stub));
}

/**
 * Opens the request's entry in the journal of its account, or of the server if it reached none.
 * Adds to the entry when the request ends.
 */
export function noteRequest(exchange: Exchange, serverJournal: Journal): void {
  if (exchange.noted) return;
  const { request, route, stub, account, basePath } = exchange;
  const { elapsedMs } = exchange.platform;
  const journal = account?.journal ?? serverJournal;
  const clock = account?.clock ?? new Clock();
  const startedAtMs = elapsedMs();
  const wasFrozen = clock.isFrozen;
  const noted = journal.open({
    atMs: clock.now().getTime(),
    method: request.method,
    target: exchange.target,
    operationId: route?.operationId,
    template: route?.template ?? stub?.path,
    // Not the whole stub: it may be removed long before the request is.
    stub: stub && { id: stub.id, for: stub.for },
    documented: documentedOf(exchange),
    headerLines: request.headers.join('\n'),
    ...(basePath !== '' && { basePath }),
    ...(request.caller.isEncrypted && { isEncrypted: true }),
  });
  exchange.noted = noted;
  exchange.endings.push((isDelivered) => {
    // A frozen clock measures no time, so that the same requests give the same journal.
    const isStopped = wasFrozen || clock.isFrozen;
    noted.durationMs = isStopped ? 0 : Math.round(elapsedMs() - startedAtMs);
    noted.outcome = isDelivered ? 'answered' : 'aborted';
    journal.close(noted);
  });
}
