import { STATUS_CODES } from 'node:http';
import { isObject } from '../../../core/values/json-value.js';
import {
  isAccepted,
  isRefusal,
  isSuccess,
  isWithoutEnvelope,
  objectOf,
  type Sample,
  type SampleResponse,
} from './samples.js';

/** How often an error page must come to count as lasting: at first, and in both retries. */
const LASTING = 3;

/**
 * Drops lost responses. Also drops successes without the documented envelope if no response of that
 * operation has it: then they cannot be refusals in disguise.
 */
export function withoutLost(samples: readonly Sample[]): readonly Sample[] {
  const lost = new Set(lostIn(samples));
  const successes = samples.filter((one) => isSuccess(one) && one.response.body.kind !== 'unknown');
  const known = new Set(successes.map(({ request }) => request.operationId));
  return samples.filter(
    (sample) =>
      !lost.has(sample) && !(isWithoutEnvelope(sample) && !known.has(sample.request.operationId)),
  );
}

/** The error pages that may not be the service's own, unless they came back every time. */
export function passingPages(samples: readonly Sample[]): readonly Sample[] {
  const pages = lostIn(samples).filter(isErrorPage);
  const times = new Map<string, number>();
  for (const key of pages.map(keyOf)) times.set(key, (times.get(key) ?? 0) + 1);
  return pages.filter((page) => (times.get(keyOf(page)) ?? 0) < LASTING);
}

/** Drops responses of a service that failed: no refusal is among them. */
export function withoutFailed(samples: readonly Sample[]): readonly Sample[] {
  return samples.filter((sample) => !isFailed(sample));
}

/** The samples whose own responses were lost: what came instead says nothing about the request. */
export function lostIn(samples: readonly Sample[]): readonly Sample[] {
  const own = samples.filter(
    (sample) => isRefusal(sample) && ['json', 'empty'].includes(sample.response.body.kind),
  );
  const ownStatuses = new Set(own.map(({ response }) => response.status));
  const { foreign, operations } = foreignIn(own);
  return samples.filter(
    (sample) =>
      isFailed(sample) ||
      // A service that never refuses this operation itself may leave that to a proxy.
      (foreign.has(sample) && operations.has(sample.request.operationId)) ||
      (isErrorPage(sample) && ownStatuses.has(sample.response.status)),
  );
}

/**
 * Finds refusals that a proxy may have written. The shape with the most operations and statuses is
 * taken for the service's own. Also returns the operations that the service itself refuses.
 */
export function foreignIn(refusals: readonly Sample[], isPhrase = saysNoMore) {
  const shapes = new Map<string, Sample[]>();
  for (const sample of refusals.filter(({ response }) => objectOf(response) !== undefined)) {
    const shape = `${shapeOf(sample.response)} ${isPhrase(sample.response)}`;
    shapes.set(shape, [...(shapes.get(shape) ?? []), sample]);
  }
  const spreadOf = (alike: readonly Sample[]) =>
    new Set(alike.map(({ request, response }) => `${request.operationId} ${response.status}`)).size;
  const groups = [...shapes.values()].sort(
    (one, other) => spreadOf(other) - spreadOf(one) || other.length - one.length,
  );
  const all = groups.flat();
  const [own] = all;
  const isOwn = ({ response }: Sample) => own && isAlike(response, own.response, isPhrase);
  return {
    foreign: new Set(all.filter((one) => !isOwn(one) && isFlat(one))),
    operations: new Set(all.filter(isOwn).map(({ request }) => request.operationId)),
  };
}

/** Proxies do not list mistakes. */
function isFlat({ response }: Sample): boolean {
  return Object.values(objectOf(response) ?? {}).every((value) => typeof value !== 'object');
}

/**
 * True if a body shares the media type and a member with the service's own, and does not just
 * repeat the reason phrase where the service says more.
 */
function isAlike(one: SampleResponse, own: SampleResponse, isPhrase: typeof saysNoMore): boolean {
  const [names, ownNames] = [one, own].map(namesOf);
  const isCommon = names?.some((name) => ownNames?.includes(name)) ?? false;
  const isSameType =
    mediaTypeOf(one) === mediaTypeOf(own) || one.isTypeUnknown || own.isTypeUnknown || false;
  return isCommon && isSameType && (!isPhrase(one) || isPhrase(own));
}

function shapeOf(response: SampleResponse): string {
  return `${mediaTypeOf(response)} ${namesOf(response).join()}`;
}

/** The names of the members with the types of their values. */
function namesOf(response: SampleResponse): readonly string[] {
  return Object.entries(objectOf(response) ?? {})
    .map(([name, value]) => `${name} ${isObject(value) ? 'object' : typeof value}`)
    .sort();
}

/** True if the body only repeats the reason phrase of the status, as any proxy can. */
function saysNoMore({ status, ...response }: SampleResponse): boolean {
  const phrase = STATUS_CODES[status]?.toLowerCase();
  const texts = Object.values(objectOf({ status, ...response }) ?? {}).filter(
    (value) => typeof value === 'string',
  );
  return (
    texts.length > 0 && texts.every((text) => text.toLowerCase().replace(/\.$/, '') === phrase)
  );
}

export function mediaTypeOf({ headers }: SampleResponse): string | undefined {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase();
}

/** True if the response may have been lost, so that the request is worth sending again. */
export function mayBeLost(sample: Sample): boolean {
  return isFailed(sample) || isErrorPage(sample);
}

/** True for a failure or timeout of the service, and for a success with text that is not JSON. */
function isFailed(sample: Sample): boolean {
  const { status, body } = sample.response;
  return status >= 500 || status === 408 || (isAccepted(sample) && body.kind === 'text');
}

function isErrorPage(sample: Sample): boolean {
  return isRefusal(sample) && sample.response.body.kind === 'text';
}

/** Drops samples that may be lost if the same request got a response later. */
export function withoutRecovered(samples: readonly Sample[]): readonly Sample[] {
  const latest = new Map<string, number>();
  for (const [index, sample] of samples.entries()) {
    if (!mayBeLost(sample)) latest.set(keyOf(sample), index);
  }
  return samples.filter(
    (sample, index) => !mayBeLost(sample) || (latest.get(keyOf(sample)) ?? -1) < index,
  );
}

/** The same for samples of the same request. */
export function keyOf({ request }: Pick<Sample, 'request'>): string {
  const { operationId, path, query, body, token } = request;
  return JSON.stringify([operationId, path, query, body, token]);
}
