import { Finding, refuseOtherTokens } from './finding.js';

/** A response, from whichever client. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** What is known of the request, and of the account that made it. */
export interface Circumstances {
  /** The path without its query. */
  readonly path: string;
  readonly acceptsHtml: boolean;
  /** True if the response may have no body: to HEAD, and that of a stub. */
  readonly mayBeEmpty: boolean;
  /** The statuses of 500 and more that were arranged. */
  readonly arranged: readonly number[];
  /** The value of the decision `error-body`. */
  readonly errorBody: string;
  /** True if a stub may have answered: of the response then only its status and whose data it has is checked. */
  readonly mayBeStub: boolean;
  /** True if a fault or a decision of the moment may have made its body: what it has is not checked. */
  readonly mayBeBroken?: boolean;
  /** Of the account that made the request: no other may be in the response. */
  readonly token: string;
}

const STACK = /\n\s*at .+:\d+:\d+|\bat [\w.<>]+ \((node:|file:|\/)|node_modules\/|\bdist\/\w+\.cjs/;
/** A problem lists at most 20 values, each cut. */
const LONGEST_PROBLEM = 250_000;

const PAGES = /^\/(__control\/?|__control\/ui\/?)?$/;

/** Throws a `Finding` if the response is not one that the mock may give. */
export function checkResponse(response: ReceivedResponse, circumstances: Circumstances): void {
  const { status, text } = response;
  const { arranged, token, mayBeStub } = circumstances;
  refuseOtherTokens(text, token);
  const isCode = /javascript|css/.test(String(response.headers['content-type']));
  if (!isCode && STACK.test(text))
    throw new Finding('no stack trace in a response', text.slice(0, 2_000));
  if (status >= 500 && !arranged.includes(status)) {
    throw new Finding('no status of 500 or more that was not arranged', `${status} ${text}`);
  }
  if (mayBeStub) return;
  refuseHtml(response, circumstances);
  if (status >= 400 && !circumstances.mayBeBroken) checkProblem(response, circumstances);
}

function refuseHtml(response: ReceivedResponse, { path, acceptsHtml }: Circumstances): void {
  const { headers, text } = response;
  const isHtml = /html/.test(String(headers['content-type'])) || /^\s*<(!doctype|html)/i.test(text);
  if (!isHtml) return;
  if (PAGES.test(path) && (path.startsWith('/__control/ui') || acceptsHtml)) return;
  const expected = 'no HTML but at /__control/ui, and for a browser at / and /__control';
  throw new Finding(expected, text.slice(0, 500));
}

function checkProblem(response: ReceivedResponse, { mayBeEmpty, errorBody }: Circumstances): void {
  const { status, headers, text } = response;
  if (text === '' && (mayBeEmpty || errorBody === 'empty')) return;
  if (text === '') throw new Finding('a body of the error', `${status} without one`);
  if (text.length > LONGEST_PROBLEM) {
    throw new Finding(
      `a problem of at most ${LONGEST_PROBLEM} bytes`,
      `${status} with ${text.length}`,
    );
  }
  const body = parsed(text);
  const isOfDecision =
    (errorBody === 'message' && typeof body.message === 'string') ||
    (errorBody === 'error-object' && typeof Object(body.error).message === 'string');
  if (isOfDecision || isProblem(body, status, headers['content-type'])) return;
  throw new Finding(
    'an error as application/problem+json with type, title, status and detail',
    `${status} ${headers['content-type']} ${text.slice(0, 1_000)}`,
  );
}

function isProblem(
  { type, title, status, detail, errors = [] }: Record<string, unknown>,
  received: number,
  mediaType: unknown,
): boolean {
  const isText = [type, title, detail].every((text) => typeof text === 'string' && text !== '');
  const isListed = Array.isArray(errors) && errors.length <= 20;
  const isDeclared = String(mediaType).startsWith('application/problem+json');
  return isText && isListed && isDeclared && status === received;
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
