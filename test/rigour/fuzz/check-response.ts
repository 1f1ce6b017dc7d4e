import type { Outcome } from '../server/call.js';

/** Throws an error with what was expected and received, unless the condition holds. */
export function demand(holds: boolean, expected: string, received: unknown): void {
  if (!holds) throw new Error(`Expected ${expected}, received ${String(received).slice(0, 3_000)}`);
}

/** The nth token of a run, which nothing else contains. */
export const tokenOf = (nth: number): string => `fuzz-${nth}-${'abcdefghij'.repeat(3)}-${nth}-end`;

const TOKENS = /fuzz-\d+-(?:abcdefghij){3}-\d+-end/g;

/** Throws if a text has data of another account of this run, all of which contains its token. */
export function refuseOtherTokens(text: string, own: string): void {
  const other = text.match(TOKENS)?.find((token) => token !== own);
  const at = text.indexOf(other ?? '');
  demand(other === undefined, 'no data of another account', text.slice(Math.max(0, at - 200)));
}

/** What is known of a request and its account. */
export interface Circumstances {
  /** The path without its query. */
  readonly path: string;
  /** The token of the request; the response may contain no other. */
  readonly token: string;
  readonly acceptsHtml?: boolean;
  /** True if the response may have no body, as for HEAD. */
  readonly mayBeEmpty?: boolean;
  /** The statuses from 500 on that the case has arranged. */
  readonly arranged?: readonly number[];
  /** The value of the decision `error-body`. */
  readonly errorBody?: string;
  /** True if a stub or a fault may have answered: its body is only searched for data of others. */
  readonly mayBeStub?: boolean;
}

const STACK = /\n\s*at .+:\d+:\d+|\bat [\w.<>]+ \((node:|file:|\/)|node_modules\/|\bdist\/\w+\.cjs/;
/** A problem lists at most 20 values, each cut. */
const MAX_PROBLEM_LENGTH = 250_000;
const PAGES = /^\/(__control\/?|__control\/ui\/?)?$/;

/** The parts of a response that are checked. */
export type ReceivedResponse = Pick<Outcome, 'status' | 'headers' | 'text' | 'failure'>;

/** Throws if the response is not one that the mock may give. */
export function checkResponse(response: ReceivedResponse, circumstances: Circumstances): void {
  const { status = 0, text, headers, failure } = response;
  const { path, token, acceptsHtml = false, arranged = [], mayBeStub } = circumstances;
  demand(failure === undefined, 'a whole response', `${failure} ${status} ${text}`);
  refuseOtherTokens(text, token);
  const mediaType = String(headers['content-type']);
  demand(/script|css/.test(mediaType) || !STACK.test(text), 'no stack trace in a response', text);
  const isExpected = status < 500 || arranged.includes(status);
  demand(isExpected, 'no status of 500 or more that was not arranged', `${status} ${text}`);
  if (mayBeStub) return;
  const isHtml = /html/.test(mediaType) || /^\s*<(!doctype|html)/i.test(text);
  const mayBeHtml = PAGES.test(path) && (path.startsWith('/__control/ui') || acceptsHtml);
  demand(!isHtml || mayBeHtml, 'no HTML but as the page, or at / for a browser', text);
  if (status >= 400) checkProblem(response, mediaType, circumstances);
}

function checkProblem(
  { status, text }: ReceivedResponse,
  mediaType: string,
  { mayBeEmpty = false, errorBody = 'problem-json' }: Circumstances,
): void {
  if (text === '' && (mayBeEmpty || errorBody === 'empty')) return;
  demand(text !== '', 'a body of the error', `${status} without one`);
  demand(text.length <= MAX_PROBLEM_LENGTH, `at most ${MAX_PROBLEM_LENGTH} bytes`, text.length);
  const body = Object(parsed(text));
  if (errorBody === 'message' && typeof body.message === 'string') return;
  if (errorBody === 'error-object' && typeof Object(body.error).message === 'string') return;
  const { type, title, detail, errors = [] } = body;
  const isProblem =
    [type, title, detail].every((one) => typeof one === 'string' && one !== '') &&
    Array.isArray(errors) &&
    errors.length <= 20 &&
    mediaType.startsWith('application/problem+json') &&
    status === body.status;
  const expected = 'an error as application/problem+json with type, title, status and detail';
  demand(isProblem, expected, `${status} ${mediaType} ${text}`);
}

/** The parsed JSON; undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
