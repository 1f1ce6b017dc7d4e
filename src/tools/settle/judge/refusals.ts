import type { DecisionId } from '#spec';
import { isObject, memberOf } from '../../../core/values/json-value.js';
import { mediaTypeOf } from '../seen/header-fields.js';
import { keyOf } from '../seen/lost-responses.js';
import { isMadeUp } from '../seen/made-up-values.js';
import { isOfAccount, objectOf } from '../seen/samples.js';
import { isKnownParameter, isPlainLimit } from './listing-requests.js';
import type { IsRefusedAs } from './predict.js';
import { type Table, type Value, valuesOf } from './table.js';
import type { Seen } from './views.js';

const statusOf = ({ view }: Seen) => view.status;
const isRefused = ({ view }: Seen) => view.kind === 'refused';
const isUsable = ({ view }: Seen) => view.kind !== 'lost';
const isListing = ({ request }: Seen) => request.operationId === 'listMeasurements';
const isLookup = ({ request }: Seen) => request.operationId.startsWith('getCustomer');
const isEvents = ({ request }: Seen) => request.operationId === 'deleteEventsByRefs';
const isWithoutToken = ({ request }: Seen) => request.token === 'none';
const isOdd = ({ view }: Seen) => view.kind === 'odd' || view.kind === 'wall';

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
  const isOddPair = ([name, value]: readonly [string, string]) => {
    if (value === '' || !isKnownParameter(name)) return true;
    return name === 'limit' ? !isPlainLimit(value) : isMadeUp(value);
  };
  return isListing(seen) && query.some(isOddPair);
}

function isUnknownId({ request: { operationId, path, query } }: Seen): boolean {
  const isPlain = query.length === 0 && operationId !== 'listMeasurements';
  return isPlain && Object.values(path).some((one) => isMadeUp(one));
}

/**
 * The decisions about a form that all refusals of a kind share, read from requests whose refusal no
 * other decision changes, and the one about tokens that nobody gave.
 */
export function refusals(all: readonly Seen[]): readonly (readonly [DecisionId, Table])[] {
  const own = all.filter(isOfAccount);
  const usable = all.filter(isUsable);
  const ofTokens = usable.filter((seen) => !isOfAccount(seen));
  const withoutToken = ofTokens.filter(isWithoutToken);
  const invalid = own.filter(mayBeInvalid);
  const unknown = own.filter(isUnknownId);
  const errors = usable.filter((seen) => statusOf(seen) >= 400 && statusOf(seen) !== 429);
  const lookups = new Set(unknown.filter(isRefused).filter(isLookup).map(operationOf));
  const isFound = own.some((seen) => isLookup(seen) && seen.view.kind === 'ok');
  const isWide = [true, false].every((is) =>
    errors.some((seen) => isRefused(seen) && (statusOf(seen) === 404) === is),
  );
  return [
    formTable('invalid-request-status', invalid, statusOf, 2, [
      invalid.some((seen) => seen.view.kind === 'ok' && isInvalid(seen)) &&
        'The service accepted an invalid limit or body.',
    ]),
    formTable('unknown-identifier-status', unknown, statusOf, 2, [
      unknown.some((seen) => isUsable(seen) && !isRefused(seen)) &&
        'The service accepted an unknown id or name.',
      (lookups.size < 2 || !isFound) &&
        'This needs a customer that is found, an unknown id and an unknown name.',
    ]),
    formTable('error-body', errors, errorFormOf, 3, [
      !errors.every(isRefused) && 'Some refusals may be those of a gateway.',
      errors.some(({ response }) => response.isTypeUnknown) &&
        'The recording shows no media types.',
      !isWide && 'This needs a 404 and another refusal.',
    ]),
    formTable('unauthorized-status', ofTokens, statusOf, 1, [
      (withoutToken.length === 0 || !withoutToken.every(isRefused) || ofTokens.some(isOdd)) &&
        'Not every call without a token was refused.',
    ]),
    ['unknown-token', tokenTable(ofTokens)],
  ];
}

const operationOf = ({ request }: Seen) => request.operationId;

/** A value explains refusals of one form; two forms may have two causes. */
function formTable(
  id: DecisionId,
  about: readonly Seen[],
  formOf: (seen: Seen) => Value,
  fewest: number,
  doubts: readonly (string | false)[],
): readonly [DecisionId, Table] {
  const refused = about.filter(isRefused);
  const forms = new Set(refused.map(formOf));
  const rows = refused.map((seen) => ({
    ...{ seen, isTelling: true, isSure: true },
    ...(id === 'error-body' && { told: String(formOf(seen)) }),
    cells: valuesOf(id).map((value) => (value === formOf(seen) ? ('match' as const) : 'miss')),
  }));
  const reasons = [
    forms.size > 1 && 'The service refused such requests in different ways.',
    new Set(refused.map(keyOf)).size < fewest && 'Too few different requests were refused.',
    ...doubts,
  ];
  const open = reasons.find(Boolean) || undefined;
  return [id, { rows, isOfForm: true, open, unseen: 'No such request was refused.' }];
}

/** Whether a token that the service does not know opens an account, or is refused like a missing one. */
function tokenTable(ofTokens: readonly Seen[]): Table {
  const none = ofTokens.filter(isWithoutToken);
  const madeUp = ofTokens.filter((seen) => !isWithoutToken(seen));
  const isRejected = (seen: Seen) => isRefused(seen) && [401, 403].includes(statusOf(seen));
  const isOpened = ({ view }: Seen) => view.kind === 'ok' && view.records.length > 0;
  const areKinds = new Set(madeUp.map(({ request }) => request.token)).size > 1;
  const areAlike = madeUp.every(isOpened) || [...madeUp, ...none].every(isRefused);
  const isSure = areKinds && areAlike && none.length > 0 && !ofTokens.some(isOdd);
  return {
    isOfForm: true,
    rows: madeUp.map((seen) => ({
      ...{ seen, isTelling: true },
      cells: valuesOf('unknown-token').map((value) =>
        (value === 'reject' ? isRejected : isOpened)(seen) ? 'match' : 'miss',
      ),
    })),
    open: isSure
      ? undefined
      : 'Only two kinds of made-up tokens that are all refused, or all get records, can tell.',
    unseen: 'No made-up token was sent.',
  };
}

/** The form of a refusal's body: a value of `error-body`, or another in words. */
function errorFormOf({ response }: Seen): string {
  if (response.body.kind === 'empty') return 'empty';
  const type = mediaTypeOf(response.headers);
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
export function meaningsAmong(own: readonly Seen[]): IsRefusedAs {
  const refused = own.filter(isRefused);
  const unknown = refused.filter(isUnknownId);
  const invalid = refused.filter((seen) => isListing(seen) && isInvalid(seen)).map(statusOf);
  return (expected, seen) => {
    const status = statusOf(seen);
    if (expected === 400) return [400, 422, ...invalid].includes(status);
    if (expected !== 404) return status === expected;
    const same = unknown.filter((one) => operationOf(one) === operationOf(seen));
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
 * have refused. Without this, one that takes no fractions settles fractional-limit, and one that
 * finds no route to a space name-matches.
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
  return JSON.stringify([response.body.kind, mediaTypeOf(response.headers), members]);
}
