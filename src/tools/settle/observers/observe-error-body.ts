import type { DecisionValue } from '#spec';
import { isObject } from '../../../core/values/json-value.js';
import { cut } from '../../../core/values/received-value.js';
import { foreignIn, mediaTypeOf, passingPages } from '../seen/lost-responses.js';
import { oddListings } from '../seen/oddities.js';
import {
  isRefusal,
  type Members,
  objectOf,
  type Sample,
  type SampleResponse,
} from '../seen/samples.js';
import { type Observer, tell } from './observer.js';

type Shape = DecisionValue<'error-body'>;

/** Recognises the shape of error bodies (section 7); additional members are allowed. */
export const errorBody: Observer<'error-body'> = {
  wanted: 'the body of a refused request',
  observe: (seen) => {
    const { samples } = seen;
    const refusals = samples
      .filter((sample) => isRefusal(sample) || isRefusedToken(sample))
      .filter(({ response }) => isShown(response));
    const { foreign } = foreignIn(refusals, () => false);
    const pages = refusals.filter(({ response }) => response.body.kind === 'text');
    // An error page that only one request received may be a temporary failure.
    const isOne = new Set(pages.map(({ request }) => JSON.stringify(request))).size === 1;
    const doubtful = new Set([...foreign, ...(isOne ? pages : passingPages(samples))]);
    const isAsked = refusals.some(isRefusedAsInvalid) || oddListings(seen).some(isCertainlyInvalid);
    const notAsked = isAsked ? undefined : 'no response to an invalid request was seen';
    return refusals.map((sample) => {
      const { response } = sample;
      const shapes = SHAPES.filter((one) => HAS_SHAPE[one](response));
      const isDoubtful = doubtful.has(sample) && doubtful.size < refusals.length;
      const open = doubtful.size === 0 ? notAsked : 'some errors may be those of a proxy';
      return { ...tell(sample, inWords(response), ...shapes), isDoubtful, open };
    });
  },
};

function isRefusedAsInvalid({ response: { status } }: Sample): boolean {
  return status === 400 || status === 422;
}

/** Other oddities may be valid for the service. */
function isCertainlyInvalid({ oddities }: ReturnType<typeof oddListings>[number]): boolean {
  return oddities.includes('limit not a number');
}

/** False if a recording lacks the body, or the media type, without which JSON has no known shape. */
function isShown({ body, isTypeUnknown }: SampleResponse): boolean {
  return body.kind !== 'unknown' && (body.kind !== 'json' || !isTypeUnknown);
}

/** True if the service refused a missing or made-up token: that has an error body, too. */
function isRefusedToken({ request: { token }, response: { status } }: Sample): boolean {
  return (status === 401 || status === 403) && ['none', 'made-up', 'alike'].includes(token);
}

const HAS_SHAPE: Readonly<Record<Shape, (response: SampleResponse) => boolean>> = {
  'problem-json': (response) =>
    objectOf(response) !== undefined && mediaTypeOf(response) === 'application/problem+json',
  message: (response) => typeof jsonObjectOf(response).message === 'string',
  'error-object': (response) => {
    const { error } = jsonObjectOf(response);
    const { code, message } = isObject(error) ? error : {};
    return ['string', 'number'].includes(typeof code) && typeof message === 'string';
  },
  empty: ({ body }) => body.kind === 'empty',
};

const SHAPES = Object.keys(HAS_SHAPE) as Shape[];

/** The members of the body; none if it has a media type other than `application/json`. */
function jsonObjectOf(response: SampleResponse): Members {
  const isJson = [undefined, 'application/json'].includes(mediaTypeOf(response));
  return (isJson && objectOf(response)) || {};
}

const MOST_NAMES = 8;
const LONGEST_NAME = 30;

/** Names the body's members, without values: `application/json { error { code, message } }`. */
function inWords(response: SampleResponse): string {
  if (response.body.kind === 'empty') return 'no body';
  const mediaType = cut(mediaTypeOf(response) ?? 'no media type', 60);
  const object = objectOf(response);
  return object ? `${mediaType} ${namesOf(object)}` : `${mediaType}, not a JSON object`;
}

function namesOf(object: Members): string {
  const names = Object.entries(object).map(([name, value]) =>
    name === 'error' && isObject(value) ? `error ${namesOf(value)}` : cut(name, LONGEST_NAME),
  );
  const more = names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), '…'] : names;
  return `{ ${more.join(', ')} }`;
}
