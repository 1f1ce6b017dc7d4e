import type { DecisionValue } from '../../decisions/ledger.js';
import { isObject } from '../../messages/is-object.js';
import { cut } from '../../messages/received-value.js';
import { describeExchange } from '../evidence.js';
import { type Answer, type Exchange, isRefusal } from '../exchange.js';
import type { Observer } from '../observation.js';

type Shape = DecisionValue<'error-body'>;

/** Reads the bodies of refusals (section 7); members beyond those of a shape are allowed. */
export const errorBody: Observer<'error-body'> = {
  wanted: 'the body of a refused request',
  observe: ({ exchanges }) =>
    exchanges
      .filter((exchange) => isRefusal(exchange) || isRefusedToken(exchange))
      .filter(({ answer }) => answer.body.kind !== 'unknown')
      .map((exchange) => ({
        explainedBy: SHAPES.filter((shape) => IS_OF_SHAPE[shape](exchange.answer)),
        evidence: describeExchange(exchange, inWords(exchange.answer)),
      })),
};

/** True if the service refused a call without a valid token: that is an error of its own too. */
function isRefusedToken({ call: { token }, answer: { status } }: Exchange): boolean {
  return (status === 401 || status === 403) && (token === 'none' || token === 'made-up');
}

const IS_OF_SHAPE: Record<Shape, (answer: Answer) => boolean> = {
  'problem-json': (answer) =>
    objectIn(answer) !== undefined && mediaTypeOf(answer) === 'application/problem+json',
  message: (answer) => isJson(answer) && typeof objectIn(answer)?.message === 'string',
  'error-object': (answer) => {
    const error = objectIn(answer)?.error;
    return (
      isJson(answer) &&
      isObject(error) &&
      ['string', 'number'].includes(typeof error.code) &&
      typeof error.message === 'string'
    );
  },
  empty: ({ body }) => body.kind === 'empty',
};

const SHAPES = Object.keys(IS_OF_SHAPE) as Shape[];

function objectIn({ body }: Answer): Readonly<Record<string, unknown>> | undefined {
  return body.kind === 'json' && isObject(body.value) ? body.value : undefined;
}

/** True unless the body is declared as something else than JSON, or as a problem. */
function isJson(answer: Answer): boolean {
  const mediaType = mediaTypeOf(answer);
  return mediaType === undefined || mediaType === 'application/json';
}

function mediaTypeOf({ headers }: Answer): string | undefined {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase();
}

const MOST_NAMES = 8;
const LONGEST_NAME = 30;

/** The names in the body, never its values: `application/json { error { code, message } }`. */
function inWords(answer: Answer): string {
  if (answer.body.kind === 'empty') return 'no body';
  const mediaType = cut(mediaTypeOf(answer) ?? 'no media type', 60);
  const object = objectIn(answer);
  return object ? `${mediaType} ${membersOf(object)}` : `${mediaType}, not a JSON object`;
}

function membersOf(object: Readonly<Record<string, unknown>>): string {
  const names = Object.entries(object).map(([name, value]) =>
    name === 'error' && isObject(value) ? `error ${membersOf(value)}` : cut(name, LONGEST_NAME),
  );
  const more = names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), '…'] : names;
  return `{ ${more.join(', ')} }`;
}
