import {
  type AccountControl,
  type Fault,
  type JournalControl,
  type JournalRequest,
  labelOf,
  type Remote,
  type Stub,
} from '#spec';
import { count } from '../../core/values/plural.js';
import { cut } from '../../core/values/received-value.js';
import { sentLines } from '../../core/values/sent-lines.js';
import type { MockServer } from '../../host/server/mock-interface.js';
import { sign } from '../../host/server/process/node-platform.js';

/** What an account has received. */
export interface Received {
  readonly requests: readonly JournalRequest[];
  /** How many older requests the journal no longer has. */
  readonly evicted: number;
  /** The account's faults, if known. */
  readonly faults?: readonly Fault[];
}

/** What an account has received, and what a test has arranged for it. */
export interface Evidence extends Received {
  readonly faults: readonly Fault[];
  readonly stubs: readonly Stub[];
}

export function evidenceOf({ journal, faults, stubs }: AccountControl): Evidence {
  const { evicted } = journal;
  const requests = journal.list();
  return { requests, evicted, faults: faults.list(), stubs: stubs.list() };
}

/** What a failing test shows of its account, with what `strays` says of requests that missed it. */
export function describeEvidence(evidence: Evidence, strays: string): string {
  return `${describeRequests(evidence)}${strays}${describePending(evidence)}`;
}

/** The line above what a failing test shows. */
export function headingOf(token: string, url: string, seed?: number): string {
  const seedNote = seed === undefined ? '' : ` (seed ${seed})`;
  return `usage-billing-mock at ${url}${seedNote}: what the account '${labelOf(token, sign)}' received, latest request first`;
}

/** What an account elsewhere has received. */
export async function describeJournal(journal: Remote<JournalControl>): Promise<string> {
  const [requests, evicted] = await Promise.all([journal.list(), journal.evicted]);
  return describeRequests({ requests, evicted });
}

/** Describes the latest requests, at most so many, the last one first. */
export function describeRequests(
  { requests, evicted, faults }: Received,
  most = Number.POSITIVE_INFINITY,
): string {
  const lines = [
    ...lastFirst(requests.slice(-most), faults),
    ...(requests.length > most ? [count(requests.length - most, 'earlier request')] : []),
    ...(evicted > 0 ? [`evicted to make room: ${count(evicted, 'older request')}`] : []),
  ];
  return lines.length === 0 ? '  no request' : inset(lines);
}

/**
 * Describes each fault that is still due, and each stub that no request in the journal has called.
 */
export function listPending({ requests, evicted, faults, stubs }: Evidence): string[] {
  const called = requests.flatMap(({ stub }) => (stub?.for === 'account' ? [stub.id] : []));
  // A call may be among the evicted requests.
  const how =
    evicted === 0
      ? 'was not called.'
      : `has no call in the journal, which no longer has ${count(evicted, 'older request')}.`;
  return [
    ...faults
      .filter(({ fired, times }) => (times === 'always' ? fired === 0 : fired < times))
      .map(({ id, explanation }) => `Fault ${id}: ${explanation}`),
    ...stubs
      .filter(({ id }) => !called.includes(id))
      .map(({ id, method, path }) => `Stub ${id}: ${method} ${path} ${how}`),
  ];
}

export function describePending(evidence: Evidence): string {
  const pending = listPending(evidence);
  return pending.length === 0 ? '' : `\nStill pending:\n${inset(pending)}`;
}

/** Watches for requests that miss the tests' accounts, such as those with a wrong path or token. */
export function watchStrays(server: MockServer, given: ReadonlySet<string>): () => string {
  const seen = new Map(journalsOf(server, given).map(([, each]) => [each, lastIdOf(each)]));
  return () =>
    journalsOf(server, given)
      .map(([title, journal]) => {
        const before = seen.get(journal) ?? 0;
        // When an account is reset, the ids of its requests start at 1 again.
        const after = before <= lastIdOf(journal) ? before : 0;
        const fresh = journal.list().filter(({ id }) => id > after);
        return describeBelow(title, fresh);
      })
      .join('');
}

function journalsOf(
  server: MockServer,
  given: ReadonlySet<string>,
): (readonly [title: string, JournalControl])[] {
  const others = server.tokens().filter((token) => !given.has(token));
  return [
    ['Requests that reached no account', server.journal],
    ...others.map((token) => {
      const title = `Requests to the account '${labelOf(token, sign)}', which belongs to no test`;
      return [title, server.account(token).journal] as const;
    }),
  ];
}

function lastIdOf(journal: JournalControl): number {
  return journal.list().at(-1)?.id ?? 0;
}

/** Requests below a title; an empty text if there are none. */
export function describeBelow(title: string, requests: readonly JournalRequest[]): string {
  return requests.length === 0 ? '' : `\n${title}\n${inset(lastFirst(requests))}`;
}

function lastFirst(requests: readonly JournalRequest[], faults: readonly Fault[] = []): string[] {
  return requests.toReversed().flatMap((request) => linesOf(request, faults));
}

function inset(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}

function linesOf(request: JournalRequest, faults: readonly Fault[]): string[] {
  const { id, method, path, query } = request;
  const target = query === undefined ? path : `${path}?${query}`;
  const { status = 'no response', decision, decisionValue } = request;
  const rested = decision === undefined ? '' : ` by ${decision}=${decisionValue}`;
  return [
    `${id}. ${method} ${cut(target)} -> ${status}${rested}`,
    ...[...sentLines(request), ...whyWithout(request, faults)].map((line) => `   ${line}`),
  ];
}

/** Why there is no response, or none yet. */
function whyWithout(
  { status, fault, latencyMs }: JournalRequest,
  faults: readonly Fault[],
): string[] {
  if (status !== undefined) return [];
  const explanation =
    faults.find(({ id }) => id === fault)?.explanation ?? 'It fired on this request.';
  return [
    ...(fault === undefined ? [] : [`Fault ${fault}: ${explanation}`]),
    ...(latencyMs === undefined ? [] : [`Latency delays the response by ${latencyMs} ms.`]),
  ];
}
