import type { DecisionId } from '#spec';
import { isObject, memberOf } from '../../../core/values/json-value.js';
import type { Found, Question, Value } from '../judge.js';
import { describeSample } from '../seen/evidence.js';
import { keyOf, mediaTypeOf } from '../seen/lost-responses.js';
import { isMadeUp } from '../seen/made-up-values.js';
import { isOfAccount, objectOf } from '../seen/samples.js';
import type { Seen } from '../views.js';
import { isKnownParameter, isPlainLimit } from './listing-requests.js';

/**
 * A decision about a form that all refusals of a kind share. What they are differs between services,
 * so it is read from requests whose refusal no other decision changes.
 */
interface Form {
  /** The requests that it is about, whatever they got. */
  readonly isAbout: (seen: Seen) => boolean;
  readonly formOf: (seen: Seen) => Value;
  readonly values: readonly Value[];
  /** The fewest different requests that show it. */
  readonly fewest: number;
  /** Why one form does not settle it, as a sentence, given all samples that it is about. */
  readonly doubt?: (about: readonly Seen[], all: readonly Seen[]) => string | false;
}

const statusOf = ({ view }: Seen) => view.status;
const isRefused = ({ view }: Seen) => view.kind === 'refused';
const isUsable = ({ view }: Seen) => view.kind !== 'lost';
const isListing = ({ request }: Seen) => request.operationId === 'listMeasurements';
const isLookup = ({ request }: Seen) => request.operationId.startsWith('getCustomer');
const isEvents = ({ request }: Seen) => request.operationId === 'deleteEventsByRefs';

/** An invalid request, whatever the decisions are. */
function isInvalid(seen: Seen): boolean {
  const { query, body } = seen.request;
  if (isEvents(seen)) return [memberOf(body, 'refs') ?? 0].flat().length === 0;
  return query.some(([name, value]) => name === 'limit' && /^[a-z]+$/i.test(value));
}

/** A request that some value of a decision refuses as invalid. */
function mayBeInvalid(seen: Seen): boolean {
  const { query, body } = seen.request;
  if (isEvents(seen)) return isInvalid(seen) || Object.keys(Object(body)).length > 1;
  const isOdd = ([name, value]: readonly [string, string]) => {
    if (value === '' || !isKnownParameter(name)) return true;
    return name === 'limit' ? !isPlainLimit(value) : isMadeUp(value);
  };
  return isListing(seen) && query.some(isOdd);
}

function isUnknownId({ request: { operationId, path, query } }: Seen): boolean {
  const isPlain = query.length === 0 && operationId !== 'listMeasurements';
  return isPlain && Object.values(path).some((one) => isMadeUp(one));
}

const isOfToken = (seen: Seen) => !isOfAccount(seen);
const withoutToken = ({ request }: Seen) => request.token === 'none';
const areOdd = (some: readonly Seen[]) =>
  some.some(({ view }) => view.kind === 'odd' || view.kind === 'wall');

const FORMS = {
  'invalid-request-status': {
    isAbout: (seen) => isOfAccount(seen) && mayBeInvalid(seen),
    formOf: statusOf,
    values: [400, 422],
    fewest: 2,
    doubt: (about) =>
      about.some((seen) => seen.view.kind === 'ok' && isInvalid(seen)) &&
      'Not all that is invalid was refused.',
  },
  'unknown-identifier-status': {
    isAbout: (seen) => isOfAccount(seen) && isUnknownId(seen),
    formOf: statusOf,
    values: [404, 400],
    fewest: 2,
    doubt: (about, all) => {
      const kinds = new Set(
        about
          .filter(isRefused)
          .filter(isLookup)
          .map((one) => one.request.operationId),
      );
      const isFound = all.some(
        (seen) => isOfAccount(seen) && isLookup(seen) && seen.view.kind === 'ok',
      );
      if (about.some((seen) => isUsable(seen) && !isRefused(seen)))
        return 'Not all that is unknown was refused.';
      return (
        (kinds.size < 2 || !isFound) &&
        'It takes customers that are found, and unknown ids and names.'
      );
    },
  },
  'error-body': {
    isAbout: (seen) => isUsable(seen) && statusOf(seen) >= 400 && statusOf(seen) !== 429,
    formOf: errorFormOf,
    values: ['problem-json', 'message', 'error-object', 'empty'],
    fewest: 3,
    doubt: (about) => {
      const refused = about.filter(isRefused);
      if (about.some((seen) => !isRefused(seen)))
        return 'Some refusals may not be those of the service.';
      if (about.some(({ response }) => response.isTypeUnknown))
        return 'The recording lacks media types.';
      const isWide = [true, false].every((is) =>
        refused.some((seen) => (statusOf(seen) === 404) === is),
      );
      return !isWide && 'Too few kinds of refusals were seen.';
    },
  },
  'unauthorized-status': {
    isAbout: (seen) => isUsable(seen) && isOfToken(seen),
    formOf: statusOf,
    values: [401, 403],
    fewest: 1,
    doubt: (about) => {
      const none = about.filter(withoutToken);
      const isSure = none.length > 0 && none.every(isRefused) && !areOdd(about);
      return !isSure && 'Not every call without a token was refused.';
    },
  },
} as const satisfies Readonly<Partial<Record<DecisionId, Form>>>;

/** The values of the decisions about refusals. */
export function answerOfRefusals(all: readonly Seen[]): ReadonlyMap<DecisionId, Found> {
  const rows = Object.entries(FORMS) as [DecisionId, Form][];
  return new Map([
    ...rows.map(([id, row]) => [id, answerOne(row, all)] as const),
    ['unknown-token', answerOfUnknownToken(all)],
  ]);
}

function answerOne({ isAbout, formOf, values, fewest, doubt }: Form, all: readonly Seen[]): Found {
  const about = all.filter(isAbout);
  const samples = about.filter(isRefused);
  const forms = [...new Set(samples.map(formOf))];
  const evidence = forms.map((form) => {
    const shown = samples.filter((one) => formOf(one) === form);
    return describeSample(shown[0] as Seen, `${form}, like ${shown.length - 1} more`);
  });
  const seen = { evidence, samples };
  const [form] = forms;
  if (form === undefined)
    return { ...seen, verdict: 'unseen', reason: 'No such refusal was seen.' };
  const reasons = [
    forms.length > 1 && 'Refusals differ.',
    new Set(samples.map(keyOf)).size < fewest && 'Too few refusals were seen.',
    doubt?.(about, all),
  ];
  const reason = reasons.find(Boolean);
  if (reason) return { ...seen, verdict: 'undecided', reason };
  return values.includes(form)
    ? { ...seen, verdict: 'settled', value: form }
    : { ...seen, verdict: 'none', reason: 'No value describes what the service does.' };
}

/** Whether a token that the service does not know opens an account, or is refused like a missing one. */
function answerOfUnknownToken(all: readonly Seen[]): Found {
  const tokens = all.filter((seen) => isUsable(seen) && isOfToken(seen));
  const none = tokens.filter(withoutToken);
  const samples = tokens.filter((seen) => !withoutToken(seen));
  const evidence = samples.slice(0, 2).map((seen) => describeSample(seen));
  const seen = { evidence, samples };
  if (samples.length === 0)
    return { ...seen, verdict: 'unseen', reason: 'No made-up token was sent.' };
  const kinds = new Set(samples.map(({ request }) => request.token));
  const isUnusable = kinds.size < 2 || areOdd(tokens);
  const isRejected =
    [...samples, ...none].every(isRefused) &&
    none.length > 0 &&
    samples.every((one) => [401, 403].includes(statusOf(one)));
  const isOpened = samples.every(({ view }) => view.kind === 'ok' && view.records.length > 0);
  const value = isRejected ? 'reject' : isOpened ? 'open-account' : undefined;
  if (value && !isUnusable) return { ...seen, verdict: 'settled', value };
  const reason = 'Made-up tokens are treated differently, or see nothing.';
  return { ...seen, verdict: 'undecided', reason };
}

/** The form of a refusal's body: a value of `error-body`, or another in words. */
function errorFormOf({ response }: Seen): string {
  if (response.body.kind === 'empty') return 'empty';
  const type = mediaTypeOf(response);
  const members = objectOf(response);
  if (!members) return 'no JSON object';
  if (type === 'application/problem+json') return 'problem-json';
  if (type !== undefined && type !== 'application/json') return `the media type ${type}`;
  if (typeof members.message === 'string') return 'message';
  const { error } = members;
  const isError = isObject(error) && typeof error.message === 'string';
  if (isError && ['string', 'number'].includes(typeof error.code)) return 'error-object';
  return 'another JSON object';
}

/** Learns from refusals that no decision changes which of the service mean what the mock's do. */
export function meaningsAmong(own: readonly Seen[]): Question['isRefusedAs'] {
  const refused = own.filter(isRefused);
  const unknown = refused.filter(isUnknownId);
  const invalid = refused.filter((seen) => isListing(seen) && isInvalid(seen)).map(statusOf);
  return (expected, seen) => {
    const status = statusOf(seen);
    if (expected === 400) return [400, 422, ...invalid].includes(status);
    if (expected !== 404) return status === expected;
    const { operationId } = seen.request;
    const same = unknown.filter(({ request }) => request.operationId === operationId);
    const known = (same.length > 0 ? same : unknown).filter((one) => statusOf(one) === status);
    if (isLookup(seen)) return known.length > 0 || [400, 404, 410, 422].includes(status);
    if (unknown.length === 0) return status === 404;
    // Other statuses have other causes as well, told by other texts.
    return known.some((one) => status === 404 || textOf(one) === textOf(seen));
  };
}

/** The body of a response without what was asked for. */
function textOf({ request: { path, body }, response }: Seen): string {
  const asked = [...Object.values(path), ...[memberOf(body, 'refs') ?? []].flat().map(String)];
  return asked.reduce((text, one) => text.replaceAll(one, ''), JSON.stringify(response.body));
}

/**
 * Turns refusals into walls that look like none of those which no decision changes: a gateway may
 * have refused.
 */
export function withWalls(all: readonly Seen[]): readonly Seen[] {
  const refused = all.filter((seen) => isOfAccount(seen) && isRefused(seen));
  const usual = refused.filter((seen) => isUnknownId(seen) || isInvalid(seen));
  return all.map((seen) => {
    if (!refused.includes(seen) || usual.length === 0) return seen;
    const alike = usual.filter((one) => statusOf(one) === statusOf(seen));
    const shapes = (alike.length > 0 ? alike : usual).map(shapeOf);
    const isOwn = shapes.includes(shapeOf(seen));
    return isOwn ? seen : { ...seen, view: { ...seen.view, kind: 'wall' } };
  });
}

/** The media type and the members of a refusal. */
function shapeOf({ response }: Seen): string {
  const members = Object.keys(objectOf(response) ?? {}).sort();
  return JSON.stringify([response.body.kind, mediaTypeOf(response), members]);
}
