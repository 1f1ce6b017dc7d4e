import { ENVELOPES, type OperationId } from '#spec';
import { type ChangedNumber, changedNumbers } from '../../../core/values/exact-numbers.js';
import { isObject, memberOf } from '../../../core/values/json-value.js';
import { parseJson } from '../../../core/values/parse-json.js';
import { msOf } from '../../../core/values/time.js';
import type { Headers } from './header-fields.js';

/** A request to an operation, sent by a probe or read from a recording, and its response. */
export interface Sample {
  readonly request: SampleRequest;
  readonly response: SampleResponse;
  /** When the request was sent, in milliseconds since 1970; NaN if a recording lacks it. */
  readonly sentAtMs: number;
  /** Its place in the sequence: the same, or that of the call before it, as `sortableInstant` writes it. */
  readonly sentAt?: string | undefined;
}

/** A request to one of the operations, with decoded values. */
export interface SampleRequest {
  readonly operationId: OperationId;
  /** The values of the path's parameters, by name. */
  readonly path: Readonly<Record<string, string>>;
  /** The query parameters, as often as they were sent. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body?: unknown;
  /** True if a recording lacks the body. */
  readonly isBodyUnknown?: true;
  /**
   * Which token was sent. `alike` is made up to look like the given one; `unknown` is for
   * recordings that show none, as tokens are often removed from those.
   */
  readonly token: 'given' | 'made-up' | 'alike' | 'none' | 'unknown';
}

export interface SampleResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: SampleBody;
  /** True if a recording lacks the header fields, and shows the media type nowhere else. */
  readonly isTypeUnknown?: true;
}

/** What stands for the response of a request that got none. */
export const NO_RESPONSE: SampleResponse = { status: 0, headers: {}, body: { kind: 'unknown' } };

/** The body of a response; `unknown` if a recording does not contain it. */
export type SampleBody =
  | {
      readonly kind: 'json';
      readonly value: unknown;
      /** The first number that parsing has changed. */
      readonly changed?: ChangedNumber;
    }
  | { readonly kind: 'text' | 'empty' | 'unknown' };

/** A JSON object of a response, with unchecked members. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Parses a body; JSON that is nested too deeply counts as text. Ignores a byte order mark, as
 * clients do (RFC 8259, section 8.1).
 */
export function bodyOf(given: string): SampleBody {
  const text = given.replace(/^\ufeff/, '');
  if (text === '') return { kind: 'empty' };
  try {
    const value = parseJson(text);
    const [changed] = changedNumbers(text);
    return { kind: 'json', value, ...(changed && { changed }) };
  } catch {
    return { kind: 'text' };
  }
}

/** True if the status says that the request succeeded, whatever the body is. */
export function isAccepted({ response: { status } }: Pick<Sample, 'response'>): boolean {
  return status >= 200 && status < 300;
}

/** True if the request succeeded: some services refuse with `200 { "error": … }`. */
export function isSuccess(sample: Sample): boolean {
  const { body } = sample.response;
  return isAccepted(sample) && body.kind !== 'text' && !isWithoutEnvelope(sample);
}

/** True for a success in JSON without the documented envelope, which no decision describes. */
function isWithoutEnvelope(sample: Sample): boolean {
  const { body } = sample.response;
  if (!isAccepted(sample) || body.kind !== 'json') return false;
  const inside = memberOf(body.value, ENVELOPES[sample.request.operationId]);
  return Object(inside) !== inside;
}

/** Statuses about the token, the pace or the form of the message, not about what was asked. */
export const NOT_ABOUT_THE_REQUEST = [401, 403, 405, 406, 408, 411, 415, 417, 429, 431];

export function isRefusal({ response: { status } }: Sample): boolean {
  return status >= 400 && status < 500 && !NOT_ABOUT_THE_REQUEST.includes(status);
}

/** True if the request had the token of the account, as far as is known. */
export function isOfAccount({ request: { token } }: Sample): boolean {
  return token === 'given' || token === 'unknown';
}

export function objectOf({ body }: SampleResponse): Members | undefined {
  return body.kind === 'json' && isObject(body.value) ? body.value : undefined;
}

export function successBody(sample: Sample): Members | undefined {
  return isSuccess(sample) ? objectOf(sample.response) : undefined;
}

/** The value of a query parameter, if it was sent exactly once. */
export function parameterOf(
  { request }: Pick<Sample, 'request'>,
  name: string,
): string | undefined {
  const values = request.query.filter(([known]) => known === name);
  return values.length === 1 ? values[0]?.[1] : undefined;
}

/** True for text that a service or a proxy may refuse in a path, even if a record has it. */
export function isOddInPath(text: string): boolean {
  return /[/\\%?#;\p{Cc}]|^\.*$|^\s|\s$/u.test(text);
}

/** An id as text: some services use numbers. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Parses a timestamp, in milliseconds since 1970; undefined for anything else. */
export function instantOf(value: unknown): number | undefined {
  const instant = typeof value === 'string' ? msOf(value) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}
