import type { OperationId } from '../billing/operation.js';
import { isTooDeep } from '../errors/nesting.js';
import { isObject } from '../messages/is-object.js';

/** A request to one of the operations and its answer, as a probe sent it or a recording has it. */
export interface Exchange {
  readonly call: Call;
  readonly answer: Answer;
  /** When the request was sent, in milliseconds since 1970. */
  readonly sentAtMs: number;
}

/** What was asked. */
export interface Call {
  readonly operationId: OperationId;
  /** The values in the path, decoded, by the names of the document's template. */
  readonly path: Readonly<Record<string, string>>;
  /** The query parameters, decoded, as often as they were sent. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body?: unknown;
  /** `unknown` in a recording: what exports one often removes the token. */
  readonly token: 'given' | 'made-up' | 'none' | 'unknown';
}

/** What was answered. */
export interface Answer {
  readonly status: number;
  /** The header fields by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AnswerBody;
}

/** The body of an answer; `unknown` if a recording does not contain it. */
export type AnswerBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text' | 'empty' | 'unknown' };

/** Reads the body of an answer from its text; JSON that is nested too deeply to work with is text. */
export function bodyOf(text: string): AnswerBody {
  if (text === '') return { kind: 'empty' };
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? { kind: 'text' } : { kind: 'json', value };
  } catch {
    return { kind: 'text' };
  }
}

/** True if the call succeeded. */
export function isSuccess({ answer }: Exchange): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** What refuses the token, the pace or the form of a message, and not what was asked. */
const NOT_ABOUT_THE_CALL = [401, 403, 405, 406, 408, 411, 415, 417, 429, 431];

/** True if the service refused what was asked. */
export function isRefusal({ answer }: Exchange): boolean {
  const { status } = answer;
  return status >= 400 && status < 500 && !NOT_ABOUT_THE_CALL.includes(status);
}

/** The JSON body of a success, if it is an object. */
export function successBody(exchange: Exchange): Readonly<Record<string, unknown>> | undefined {
  const { body } = exchange.answer;
  return isSuccess(exchange) && body.kind === 'json' && isObject(body.value)
    ? body.value
    : undefined;
}

/** The value of a query parameter, if it was sent exactly once. */
export function parameterOf({ call }: Exchange, name: string): string | undefined {
  const values = call.query.filter(([known]) => known === name);
  return values.length === 1 ? values[0]?.[1] : undefined;
}
