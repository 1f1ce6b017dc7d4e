import { createHash } from 'node:crypto';
import type { components } from '../generated/control.js';
import { explain } from './explain.js';
import type { JournalBudget } from './journal-budget.js';
import { UnknownIdError } from './unknown-id.js';

/** One request of the service and its answer, as the journal shows it. */
export type JournalRequest = components['schemas']['JournalRequest'];

/** Which requests are meant; all of them if nothing is said. */
export interface JournalFilter {
  readonly operationId?: string;
  readonly status?: number;
  readonly path?: string;
  /** RFC 3339; requests that came then or later. */
  readonly since?: string;
}

/** What was asked of an account, as a test inspects it. */
export interface JournalControl {
  /** The requests that pass the filter, the oldest first. */
  list(filter?: JournalFilter): JournalRequest[];
  /** How many requests pass the filter. */
  count(filter?: JournalFilter): number;
  /** Why the request got its answer, in sentences. Throws an `UnknownIdError` if it is not kept. */
  explain(id: number): string[];
  /** How many older requests were let go to make room. */
  readonly evicted: number;
  /** Forgets all requests; says how many there were. */
  clear(): number;
}

/** A request as the journal keeps it: as it came, to be put into words when it is shown. */
export interface NotedRequest {
  readonly id: number;
  /** When it came, in ms since 1970. */
  readonly atMs: number;
  readonly method: string;
  /** The path and the query as they were sent. */
  readonly target: string;
  readonly operationId: string | undefined;
  /** The path of the document that it called, such as `/contracts/{contractId}`. */
  readonly template: string | undefined;
  /** Names and values of the header fields by turns, one a line: one text takes the least room. */
  readonly headerLines: string;
  /** The body as it came, or what is told of it if it is long. */
  body?: string | { readonly bytes: number; readonly hash: string };
  status?: number;
  durationMs?: number;
  outcome?: 'answered' | 'aborted';
  /** Why it was refused: the kind of problem, its detail, the decision and the value that it had. */
  refusal?: Pick<JournalRequest, 'problem' | 'detail' | 'decision' | 'decisionValue'>;
  /** The id of the fault that fired. */
  fault?: number;
}

/** What is known of a request when it comes. */
export type Arrival = Pick<
  NotedRequest,
  'atMs' | 'method' | 'target' | 'operationId' | 'template' | 'headerLines'
>;

interface JournalState {
  readonly requests: readonly NotedRequest[];
  readonly evicted: number;
  readonly nextId: number;
}

const LARGEST_BODY = 16 * 1024;

/** The bytes that a request takes beside its texts, roughly. */
const OVERHEAD = 500;

const CREDENTIALS = /^(proxy-)?authorization$|^cookie$|token/i;

/** The last requests of one account, or those that reached none. */
export class Journal implements JournalControl {
  readonly #budget: JournalBudget;
  readonly #size: number;
  #requests: Map<number, NotedRequest> | undefined;
  #evicted = 0;
  #nextId = 1;

  /** Keeps at most `size` requests, and fewer when all journals together outgrow the budget. */
  constructor(size: number, budget: JournalBudget) {
    this.#size = size;
    this.#budget = budget;
  }

  get evicted(): number {
    return this.#evicted;
  }

  list(filter: JournalFilter = {}): JournalRequest[] {
    return this.#all()
      .map(describe)
      .filter((request) => passes(filter, request));
  }

  count(filter?: JournalFilter): number {
    return this.list(filter).length;
  }

  explain(id: number): string[] {
    const noted = this.#requests?.get(id);
    if (noted) return explain(describe(noted));
    throw new UnknownIdError(
      `The journal has no request '${id}'; expected the id of one that it lists.`,
    );
  }

  clear(): number {
    const all = this.#all();
    for (const noted of all) this.#budget.release(noted);
    this.#requests = undefined;
    return all.length;
  }

  /** Notes a request as it comes; what follows is noted in the object that this returns. */
  open(arrival: Arrival): NotedRequest {
    const noted = { id: this.#nextId, ...arrival };
    this.#nextId += 1;
    if (this.#size === 0) return noted;
    this.#keep(noted);
    const [oldest] = this.#requests?.values() ?? [];
    if (oldest && (this.#requests?.size ?? 0) > this.#size) this.evict(oldest);
    return noted;
  }

  /** Notes the body of a request as it came; a long one by its length and hash. */
  noteBody(noted: NotedRequest, bytes: Buffer): void {
    noted.body = noteOf(bytes);
    if (this.#requests?.get(noted.id) === noted) {
      this.#budget.keep(noted, this, sizeOf(noted) + Math.min(bytes.length, LARGEST_BODY));
    }
  }

  /** Lets a request go to make room. */
  evict(noted: NotedRequest): void {
    this.#budget.release(noted);
    if (this.#requests?.delete(noted.id)) this.#evicted += 1;
  }

  snapshot(): JournalState {
    return { requests: this.#all(), evicted: this.#evicted, nextId: this.#nextId };
  }

  restore(saved: JournalState): void {
    this.clear();
    for (const noted of saved.requests) this.#keep(noted);
    this.#evicted = saved.evicted;
    this.#nextId = saved.nextId;
  }

  #all(): NotedRequest[] {
    return [...(this.#requests?.values() ?? [])];
  }

  #keep(noted: NotedRequest): void {
    this.#requests ??= new Map();
    this.#requests.set(noted.id, noted);
    this.#budget.keep(noted, this, sizeOf(noted));
  }
}

/** The bytes that a request without its body takes, roughly. */
function sizeOf({ target, headerLines }: NotedRequest): number {
  return OVERHEAD + target.length + headerLines.length;
}

/** The request as it is shown: a copy, its credentials redacted. */
function describe(noted: NotedRequest): JournalRequest {
  const { id, atMs, method, target, operationId, template, headerLines, body, refusal, ...end } =
    noted;
  const [path = '', ...query] = target.split('?');
  return {
    id,
    at: new Date(atMs).toISOString(),
    method,
    path,
    ...(query.length > 0 && { query: query.join('?') }),
    ...(operationId !== undefined && { operationId }),
    ...(template !== undefined && { parameters: parametersOf(template, path, query.join('?')) }),
    headers: headersOf(headerLines.split('\n')),
    ...(body !== undefined && { body: valueOfBody(body) }),
    ...end,
    ...refusal,
  };
}

function passes(
  { operationId, status, path, since }: JournalFilter,
  request: JournalRequest,
): boolean {
  return (
    (operationId === undefined || request.operationId === operationId) &&
    (status === undefined || request.status === status) &&
    (path === undefined || request.path === path) &&
    (since === undefined || Date.parse(request.at) >= Date.parse(since))
  );
}

function noteOf(bytes: Buffer): NonNullable<NotedRequest['body']> {
  if (bytes.length <= LARGEST_BODY) return bytes.toString('utf8');
  return { bytes: bytes.length, hash: createHash('sha256').update(bytes).digest('hex') };
}

/** The JSON value that the body is; its text if it is none. */
function valueOfBody(body: NonNullable<NotedRequest['body']>): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** The values in the path and the query by name; one that cannot be decoded as it was sent. */
function parametersOf(template: string, path: string, query: string): Record<string, unknown> {
  const parameters = new Map<string, unknown>();
  const segments = path.split('/');
  for (const [index, part] of template.split('/').entries()) {
    if (part.startsWith('{')) parameters.set(part.slice(1, -1), decoded(segments[index] ?? ''));
  }
  const values = new URLSearchParams(query);
  for (const name of values.keys()) {
    const all = values.getAll(name);
    parameters.set(name, all.length > 1 ? all : all[0]);
  }
  return Object.fromEntries(parameters);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function headersOf(rawHeaders: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at]?.toLowerCase(), rawHeaders[at + 1]];
    const shown = CREDENTIALS.test(name) ? value.replace(/^(\S+ +)?.*$/s, '$1[redacted]') : value;
    const before = headers.get(name);
    headers.set(name, before === undefined ? shown : `${before}, ${shown}`);
  }
  return Object.fromEntries(headers);
}
