import type { DecisionsBehindResponse } from '../../core/decisions/decisions-behind-response.js';
import type { ProblemError } from '../../core/errors/problem-error.js';
import { type BodyInShort, bodyInShort } from '../../core/values/body-in-short.js';
import type { Account } from '../accounts/account.js';
import type { FaultKind } from '../accounts/fault-kinds.js';
import type { Journal } from '../accounts/journal/journal.js';
import type { NotedRequest } from '../accounts/journal/noted-request.js';
import { type BytesUnderWay, tooMuchUnderWay } from './bytes-under-way.js';
import { type Called, type DocumentedCall, NOTHING, type StubCall } from './called.js';
import type { Platform } from './platform.js';
import type {
  HeaderFields,
  ResponseBody,
  ServiceRequest,
  ServiceResponse,
} from './request-and-response.js';

/** The response of an operation, a stub or `routes`, before any fault distorts it. */
export interface Ready {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: ResponseBody | undefined;
}

/** What an exchange that waits keeps besides its header and bodies. */
const WAITING_BYTES = 8_192;

/** A header takes about this many bytes for each character: its fields, by name, and as noted. */
const BYTES_A_CHARACTER_OF_HEADER = 3;

/** A response takes about this many bytes for each character: its records, its text and its bytes. */
const BYTES_A_CHARACTER = 3;

/** What is told of every exchange. */
export interface Subscriber {
  /** Called before any step. */
  onRequest?(exchange: Exchange): void;
  /** Called when the response is known, before it is delivered. */
  onResponse?(exchange: Exchange): void;
  /** Called once, when the response has been delivered, or the caller has gone. */
  onEnd?(exchange: Exchange, isDelivered: boolean): void;
  /** Called if a subscriber threw, or if a response could be neither made nor delivered. */
  onFailure?(exchange: Exchange, reason: unknown): void;
}

/** A request on its way to a response. Each step reads it, and stores its findings here. */
export class Exchange {
  readonly request: ServiceRequest;
  /** The content of the request, still encoded, until it is read. */
  content: ServiceRequest['body'];
  readonly platform: Platform;
  /** The request's header fields by lower-case name, as `fieldsOf` joins them. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /**
   * What precedes `target` in the URL: the path where the mock is mounted, then the base path and
   * `/__control` if the request has them.
   */
  basePath: string;
  /** True if the path is below the base path; always true for the control plane. */
  isBelow = true;
  /** What follows `basePath`: `path`, and `query` after a question mark. */
  target: string;
  path = '';
  query = '';
  /** The method as sent, but GET once an operation is found for HEAD. */
  method: string;
  /** Header fields that the response gets, whichever step makes it. */
  headers: Record<string, string | string[]> = {};
  called: Called = NOTHING;
  /** The token of the account, once known; while it is set, the account is not closed as idle. */
  token: string | undefined = undefined;
  account: Account | undefined = undefined;
  /** The account's generation when the account was found. */
  generation = 0;
  /** Those of the account, fixed for this request; of the server if it is refused without one. */
  decisions: DecisionsBehindResponse | undefined = undefined;
  /** The journal that has an entry for the request, and the entry. */
  journal: Journal | undefined = undefined;
  noted: NotedRequest | undefined = undefined;
  /** Whether the bytes of the body were counted ahead of reading it. */
  hasCountedBody = false;
  /** The body: parsed for an operation, bytes for stubs and routes; null once it is let go. */
  body: unknown = undefined;
  /** What the coverage needs of a body that was let go. */
  bodyInShort: BodyInShort | undefined = undefined;
  ready: Ready | undefined = undefined;
  /** Why the request was refused. */
  problem: ProblemError | undefined = undefined;
  fault: FaultKind | undefined = undefined;
  /** Setting it ends the walk. */
  response: ServiceResponse | undefined = undefined;
  readonly startedAtMs: number;
  /** True once the mock itself has failed; then the caller is not to blame for a broken connection. */
  hasFailed = false;
  /** True if its clock was frozen when its entry was opened. */
  wasFrozen = false;
  #hasEnded = false;
  readonly #subscribers: readonly Subscriber[];
  readonly #underWay: BytesUnderWay;
  #keptBytes = 0;

  constructor(
    request: ServiceRequest,
    platform: Platform,
    subscribers: readonly Subscriber[],
    underWay: BytesUnderWay,
  ) {
    this.request = request;
    this.content = request.body;
    this.platform = platform;
    this.#subscribers = subscribers;
    this.#underWay = underWay;
    this.startedAtMs = platform.elapsedMs();
    this.fields = fieldsOf(request.headers);
    this.basePath = request.mountPath;
    this.target = request.target;
    this.method = request.method;
  }

  /** Counts bytes that it keeps; returns false if all that is under way would be too much. */
  keep(bytes: number): boolean {
    const isAdmitted = this.#underWay.take(bytes);
    if (isAdmitted) this.#keptBytes += bytes;
    return isAdmitted;
  }

  /** Counts bytes that it keeps, even if that is too much. */
  keepAnyway(bytes: number): void {
    this.#underWay.add(bytes);
    this.#keptBytes += bytes;
  }

  /** Lets go of the body, which may take much more memory parsed than it had bytes. */
  releaseBody(): void {
    const { body, called } = this;
    if (called.kind === 'operation') {
      // Bytes could not be parsed; each of them would be a member.
      const isParsed = body !== undefined && !(body instanceof Uint8Array);
      if (isParsed) this.bodyInShort ??= bodyInShort(body);
      called.input = { ...called.input, body: null };
    }
    if (body !== undefined) this.body = null;
    this.#release();
  }

  /** Counts header and response among what is under way; throws a problem if that is too much. */
  keepWaiting(): void {
    const { ready, request } = this;
    const body = ready?.body;
    const length = typeof body === 'string' || body instanceof Uint8Array ? body.length : 0;
    const header = request.headers.reduce((sum, text) => sum + text.length, request.target.length);
    const bytes = WAITING_BYTES + BYTES_A_CHARACTER_OF_HEADER * header + BYTES_A_CHARACTER * length;
    if (!this.keep(bytes)) throw tooMuchUnderWay();
  }

  /** Waits before the response; throws at once if too much is under way already. */
  wait(delayMs: number, signal = this.request.signal): Promise<void> {
    this.keepWaiting();
    return this.platform.wait(delayMs, signal);
  }

  #release(): void {
    this.#underWay.release(this.#keptBytes);
    this.#keptBytes = 0;
  }

  /** Completes the entry and tells the subscribers, once. */
  end(isDelivered: boolean): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#release();
    const { noted, account, platform } = this;
    if (noted) {
      // A frozen clock measures no time, so that the same requests give the same journal.
      const isStopped = this.wasFrozen || account?.clock.isFrozen === true;
      noted.durationMs = isStopped ? 0 : Math.round(platform.elapsedMs() - this.startedAtMs);
      noted.outcome = isDelivered ? 'answered' : 'aborted';
    }
    this.tell((subscriber) => subscriber.onEnd?.(this, isDelivered));
  }

  /** Tells every subscriber, even if one throws. */
  tell(act: (subscriber: Subscriber) => void): void {
    for (const subscriber of this.#subscribers) {
      try {
        act(subscriber);
      } catch (reason) {
        this.fail(reason);
      }
    }
  }

  /** Tells the subscribers of a defect of the mock that no problem can explain to the caller. */
  fail(reason: unknown): void {
    this.hasFailed = true;
    for (const subscriber of this.#subscribers) {
      try {
        subscriber.onFailure?.(this, reason);
      } catch {
        // Nobody is left to tell.
      }
    }
  }
}

/** One stage of the pipeline; it may set the response, or throw a problem. */
export type Step<Required extends Exchange = Exchange> = (
  exchange: Required,
) => void | Promise<void>;

export type ExchangeWith<Part extends keyof Exchange> = Exchange & {
  readonly [Name in Part]: NonNullable<Exchange[Name]>;
};

/** A call of an operation that a document describes. */
export type DocumentedExchange = ExchangeWith<'decisions'> & { readonly called: DocumentedCall };

/** A call of an operation of the service, by an account. */
export type OperationExchange = DocumentedExchange & AdmittedExchange;

/** A request with an account, and an entry in its journal. */
export type AdmittedExchange = ExchangeWith<'account' | 'decisions' | 'journal' | 'noted'>;

export type StubExchange = Exchange & { readonly called: StubCall };

export function requireParts<Part extends keyof Exchange>(
  exchange: Exchange,
  ...parts: readonly Part[]
): ExchangeWith<Part> {
  for (const part of parts) {
    if (exchange[part] === undefined) {
      throw new Error(`This step needs '${part}' of the exchange; no step before has set it.`);
    }
  }
  return exchange as ExchangeWith<Part>;
}

/** Fields that may appear only once; of a repeated one, the first counts until it is refused. */
export const SINGLE_FIELDS: readonly string[] = ['Host', 'Authorization', 'Content-Type'];

const SINGLE_NAMES = new Set(SINGLE_FIELDS.map((name) => name.toLowerCase()));

/** Header fields by lower-case name; commas join repeated ones, except for `SINGLE_FIELDS`. */
export function fieldsOf(headers: readonly string[]): Record<string, string | undefined> {
  const fields: Record<string, string | undefined> = Object.create(null);
  for (let index = 0; index < headers.length; index += 2) {
    const name = (headers[index] ?? '').toLowerCase();
    const before = fields[name];
    if (before === undefined) fields[name] = headers[index + 1] ?? '';
    else if (!SINGLE_NAMES.has(name)) fields[name] = `${before}, ${headers[index + 1]}`;
  }
  return fields;
}
