import { ENVELOPES } from '#spec';
import { isObject } from '../../../core/values/json-value.js';
import {
  idOf,
  instantOf,
  type Members,
  NOT_ABOUT_THE_REQUEST,
  type Sample,
  type SampleRequest,
  type SampleResponse,
} from '../seen/samples.js';

/** What a response says, in parts that decisions change one by one. */
export interface View {
  /**
   * `odd`: a success without the documented envelope; `wall`: what may not be the service's own;
   * `lost`: nothing can be concluded from it.
   */
  readonly kind: 'ok' | 'refused' | 'odd' | 'wall' | 'lost';
  readonly status: number;
  /** As JSON, so that types count. `?` stands for what fits every value and none. */
  readonly parts: Readonly<Record<string, string>>;
  readonly records: readonly Members[];
}

type Exchange = Pick<Sample, 'request' | 'response'> & { readonly sentAtMs?: number };

/** A sample with what it says. */
export interface Seen extends Sample {
  readonly view: View;
  /** All that it says, to compare responses. */
  readonly print: string;
  /** The same for refusals in a row: nothing was accepted between them, and no time passed. */
  readonly turn: number;
}

/** No clocks are a day apart, and no time zones. */
const DAY_MS = 26 * 3_600_000;

const MINUTE_MS = 60_000;

const LATER_MS = 2_000;

export const UNCLEAR = '?';

/** Views of exchanges in turn: some parts compare a record with its first appearance. */
export function viewsOf(exchanges: readonly Exchange[]): readonly View[] {
  const firsts = new Map<string, string>();
  return exchanges.map(({ request, response, sentAtMs }) => {
    const kind = kindOf(request, response);
    const { status, body } = response;
    if (kind !== 'ok' || body.kind !== 'json') return { kind, status, parts: {}, records: [] };
    const members = body.value as Members;
    const records = [members[ENVELOPES[request.operationId]]].flat() as Members[];
    const said = request.operationId.startsWith('delete')
      ? partsOfDeletion(request, records, firsts, sentAtMs)
      : { records: JSON.stringify(records.map(({ id }) => idOf(id))) };
    const more = request.operationId === 'listMeasurements' && partsOfPage(members);
    return { kind, status, parts: { status: String(status), ...said, ...more }, records };
  });
}

/** The view of a single exchange that no other comes before. */
export function viewOf(exchange: Exchange): View {
  return viewsOf([exchange])[0] as View;
}

function partsOfPage({ total, hasMore, nextCursor }: Members): View['parts'] {
  const isFollowed = hasMore === true && typeof nextCursor === 'string' && nextCursor !== '';
  return {
    total: JSON.stringify(total) ?? 'absent',
    hasMore: JSON.stringify(hasMore) ?? 'absent',
    next: isFollowed ? 'a cursor' : (JSON.stringify(nextCursor) ?? 'absent'),
  };
}

function partsOfDeletion(
  { operationId }: SampleRequest,
  records: readonly Members[],
  firsts: Map<string, string>,
  sentAtMs: number | undefined,
): View['parts'] {
  const ids = records.map(({ id }) => idOf(id) ?? '');
  const first = records.map(({ deletedAt, updatedAt }, at) => {
    if (deletedAt === undefined) return 'not deleted';
    const key = `${operationId} ${ids[at]}`;
    const stamps = JSON.stringify([deletedAt, updatedAt]);
    const known = firsts.get(key);
    if (known === undefined) firsts.set(key, stamps);
    // A coarse stamp looks the same whenever something is done.
    if (known === stamps && isCoarse(deletedAt)) return UNCLEAR;
    return known === undefined || known === stamps;
  });
  const stamps = [...new Set(records.map((one) => stampOf(one, sentAtMs)))];
  const stamp = stamps.length === 1 ? stamps[0] : stamps.includes(UNCLEAR) ? UNCLEAR : 'both';
  return {
    records: JSON.stringify([...ids].sort()),
    order: JSON.stringify(ids),
    first: first.includes(UNCLEAR) ? UNCLEAR : first.join(),
    ...(stamps.length > 0 && { stamp: String(stamp) }),
  };
}

function kindOf(
  { operationId, token }: SampleRequest,
  { status, body }: SampleResponse,
): View['kind'] {
  if (status === 0 || status >= 500 || status === 408 || body.kind === 'unknown') return 'lost';
  if (status >= 400) {
    if (body.kind === 'text') return 'wall';
    const isAboutToken = [401, 403].includes(status) && !['given', 'unknown'].includes(token);
    return NOT_ABOUT_THE_REQUEST.includes(status) && !isAboutToken ? 'wall' : 'refused';
  }
  if (status >= 300) return 'wall';
  if (body.kind === 'text') return 'lost';
  const envelope = ENVELOPES[operationId];
  const inside = body.kind === 'json' && isObject(body.value) ? body.value[envelope] : undefined;
  const isOfKind = envelope.endsWith('s') ? Array.isArray(inside) : isObject(inside);
  const areRecords = [inside].flat().every((one) => isObject(one) && idOf(one.id) !== undefined);
  return isOfKind && areRecords ? 'ok' : 'odd';
}

/** How `updatedAt` relates to `deletedAt`. */
function stampOf(
  { deletedAt, updatedAt, createdAt }: Members,
  sentAtMs = Number.NaN,
): 'same' | 'older' | typeof UNCLEAR {
  const [deleted, updated] = [deletedAt, updatedAt].map(instantOf);
  if (deleted === undefined || updated === undefined) return UNCLEAR;
  if (deleted === updated) return isCoarse(deletedAt) ? UNCLEAR : 'same';
  if (Number.isNaN(sentAtMs) || Math.abs(deleted - sentAtMs) > DAY_MS) return UNCLEAR;
  if (Math.min(deleted, sentAtMs) - updated > DAY_MS) return 'older';
  const isKept = updatedAt === createdAt && !isCoarse(updatedAt);
  return isKept && deleted - updated > MINUTE_MS ? 'older' : UNCLEAR;
}

/** True for what does not show seconds: two of them may look the same, and be different instants. */
function isCoarse(stamp: unknown): boolean {
  const instant = instantOf(stamp);
  return instant === undefined || instant % MINUTE_MS === 0;
}

/** The samples with what they say. */
export function seenIn(samples: readonly Sample[]): readonly Seen[] {
  const views = viewsOf(samples);
  let turn = 0;
  return samples.map((sample, at) => {
    const view = views[at] as View;
    const isLater = sample.sentAtMs - Number(samples[at - 1]?.sentAtMs) >= LATER_MS;
    if (view.kind === 'ok' || isLater) turn += 1;
    return { ...sample, view, print: printOf(view), turn };
  });
}

function printOf({ kind, status, parts, records }: View): string {
  const { status: _, ...said } = parts;
  return JSON.stringify(kind === 'ok' ? [said, records.map(({ id }) => id)] : [kind, status]);
}
