import { realTimeMs } from '../../../host/adapters/unfaked-time.js';
import type { Known } from './known.js';
import { rivalOf } from './known-records.js';
import type { Question } from './predict.js';
import type { Table } from './table.js';
import { type Seen, viewsOf } from './views.js';

/** All that a deletion returns, except what a decision of its own changes. */
const WHOLE = ['records', 'first'];
const OF_ALL = { 'updated-at-on-delete': 'stamp', 'success-status': 'status' } as const;

/** How long the parts of a service may take until all know of a deletion. */
const LATE_MS = 2_000;

/** Replays the deletions with the model, over the records that they show. */
export async function deletions(known: Known) {
  const { own } = known;
  const asked = await Promise.all([
    replay(known, 'deleteContract', { 'repeat-delete': WHOLE, ...OF_ALL }),
    replay(known, 'deleteEventsByRefs', {
      ...{ 'unmatched-refs': WHOLE, 'unknown-body-members': WHOLE, 'repeat-event-delete': WHOLE },
      ...{ 'deleted-events-order': 'order', ...OF_ALL },
    }),
  ]);
  const isOtherGet = own.some(
    ({ request, view }) =>
      view.kind === 'ok' && !request.operationId.startsWith('delete') && view.status !== 200,
  );
  const [longest = []] = own
    .filter(({ request }) => request.operationId === 'deleteEventsByRefs')
    .map(({ view }) => view.records)
    .sort((one, other) => other.length - one.length);
  const doubtOf = (operationId: string, late: string): Partial<Table> => ({
    doubt: (value) =>
      value === late &&
      !isReturnedLate(own.filter(({ request }) => request.operationId === operationId)) &&
      `${value} explains the responses, but only within ${LATE_MS / 1000} s of the deletion.`,
  });
  const more: Readonly<Record<string, Partial<Table>>> = {
    'success-status': { doubt: () => isOtherGet && 'A GET got a status other than 200.' },
    'repeat-delete': doubtOf('deleteContract', 'same-result'),
    'repeat-event-delete': doubtOf('deleteEventsByRefs', 'include'),
    'deleted-events-order': {
      doubt: (value) => {
        if (longest.length < 3) return 'No deletion of three events or more was seen.';
        const rival = rivalOf(longest, value === 'timestamp' ? ['timestamp'] : []);
        return rival && `The records are in the order of ${rival} as well.`;
      },
    },
  };
  return asked.flat().map(([id, table]) => [id, { ...table, ...more[id] }] as const);
}

async function replay(
  { own, model, ask }: Known,
  operationId: 'deleteContract' | 'deleteEventsByRefs',
  parts: Question['parts'],
) {
  const samples = own.filter(({ request }) => request.operationId === operationId);
  const requests = samples.map(({ request }) => ({ ...request, token: 'given' as const }));
  const tables = await ask({
    ...{ parts, samples, isInSequence: true },
    isFlaky: (seen) => isFlakyDeletion(seen, samples),
    predict: async (hypothesis) => {
      const replies = await model.replay(hypothesis, requests);
      const sentAtMs = realTimeMs();
      return viewsOf(
        (replies ?? []).map((response, at) => ({
          ...{ request: requests[at] as never, response, sentAtMs },
        })),
      );
    },
  });
  return tables.map(([id, table]) => [id, { ...table, open: whyOpen(samples) }] as const);
}

function whyOpen(samples: readonly Seen[]): string | undefined {
  if (samples.some(({ view, request }) => view.kind === 'lost' || request.isBodyUnknown)) {
    return 'A response was lost, and its deletion may have taken effect.';
  }
  const events = samples.flatMap(({ request, view }) =>
    request.operationId === 'deleteEventsByRefs' ? view.records : [],
  );
  return events.every(({ ref }) => typeof ref === 'string')
    ? undefined
    : 'Events do not show their refs.';
}

/** True if a record was returned again long after its first deletion. */
function isReturnedLate(samples: readonly Seen[]): boolean {
  const firstAt = new Map<unknown, number>();
  return samples.some(({ view, sentAtMs }) =>
    view.records.some(({ id }) => {
      if (!firstAt.has(id)) firstAt.set(id, sentAtMs);
      return sentAtMs - Number(firstAt.get(id)) >= LATE_MS;
    }),
  );
}

/** True if the same deletion got different responses after the first that succeeded. */
function isFlakyDeletion(seen: Seen, samples: readonly Seen[]): boolean {
  const alike = samples.filter(
    (one) => deletionOf(one) === deletionOf(seen) && one.view.kind !== 'lost',
  );
  const later = alike.slice(alike.findIndex(({ view }) => view.kind === 'ok')).slice(1);
  return later.includes(seen) && new Set(later.map(({ print }) => print)).size > 1;
}

/** The same for the same deletion, in whatever order its refs are. */
function deletionOf({ request: { path, body } }: Seen): string {
  const { refs, ...others } = Object(body) as Readonly<Record<string, unknown>>;
  return JSON.stringify([path, [refs ?? []].flat().map(String).sort(), others]);
}
