import { cut, shown } from '../billing/shown.js';
import type { JournalControl, JournalFilter } from '../control/journal.js';
import type { JournalRequest } from '../control/journal-request.js';

/** What an account was asked and how it answered, a line or two for each request. */
export function storyOf(journal: JournalControl, filter: JournalFilter = {}): string {
  const lines = journal.list(filter).flatMap(linesOf);
  return lines.length === 0 ? '  no request' : lines.map((line) => `  ${line}`).join('\n');
}

function linesOf({ id, method, path, query, ...request }: JournalRequest): string[] {
  const target = query === undefined ? path : `${path}?${query}`;
  const { body, status = 'no answer', decision, decisionValue, detail } = request;
  const rested = decision === undefined ? '' : ` by ${decision}=${decisionValue}`;
  return [
    `${id}. ${method} ${cut(target)} -> ${status}${rested}`,
    ...(body === undefined ? [] : [`   sent ${shown(body)}`]),
    ...(detail === undefined ? [] : [`   ${cut(detail)}`]),
  ];
}
