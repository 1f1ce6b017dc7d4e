import { realTimeMs } from '../../../host/adapters/unfaked-time.js';
import { expectedOf, type Found } from '../judge.js';
import { rivalOf } from '../known-records.js';
import { type Seen, viewsOf } from '../views.js';
import { ASKED, asQuestion } from './asked-decisions.js';
import { type Answers, doubted, type Known } from './known.js';

const OPERATIONS = ['deleteContract', 'deleteEventsByRefs'] as const;

const LATE_ENOUGH_MS = 2_000;

/** Replays the deletions with the model, over the records that they show. */
export async function askDeletions(known: Known): Promise<Answers> {
  let found: Answers = new Map();
  for (const operationId of OPERATIONS) {
    const answers = await askOne(known, operationId);
    found = new Map([
      ...found,
      ...[...answers].map(([id, one]) => [id, both(found.get(id), one)] as const),
    ]);
  }
  const otherStatus = known.own.some(
    ({ request, view }) =>
      view.kind === 'ok' && !request.operationId.startsWith('delete') && view.status !== 200,
  );
  const longest =
    known.own
      .filter(({ request }) => request.operationId === 'deleteEventsByRefs')
      .map(({ view }) => view.records)
      .sort((one, other) => other.length - one.length)[0] ?? [];
  const own = found.get('deleted-events-order')?.value === 'timestamp' ? ['timestamp'] : [];
  const rival = rivalOf(longest, own);
  found = doubted(found, 'success-status', otherStatus && 'A GET got another status than 200.');
  return doubted(
    found,
    'deleted-events-order',
    longest.length < 3
      ? 'Too few events have this order.'
      : rival && `They are in the order of their ${rival}, too.`,
  );
}

async function askOne(known: Known, operationId: (typeof OPERATIONS)[number]): Promise<Answers> {
  const { own, model, ask } = known;
  const { lagging, parts, ...question } = asQuestion(ASKED[operationId]);
  const samples = own.filter(({ request }) => request.operationId === operationId);
  const requests = samples.map(({ request }) => ({ ...request, token: 'given' as const }));
  const first = samples.find(({ view }) => view.kind === 'ok');
  const isLate = ({ sentAtMs }: Seen) => sentAtMs - (first?.sentAtMs ?? 0) >= LATE_ENOUGH_MS;
  return ask({
    ...question,
    ...{ samples, isWhole: true, isInSequence: true, parts: ['records', 'first', ...parts] },
    open: whyOpen(samples),
    isFlaky: (seen) => isFlakyDeletion(seen, samples),
    facetOf: (id, seen, value) => (lagging[id] === value && !isLate(seen) ? undefined : 'any'),
    predict: async (hypothesis) => {
      const replies = await model.replay(hypothesis, requests);
      if (!replies) return [];
      const sentAtMs = realTimeMs();
      const views = viewsOf(
        replies.map((response, at) => ({ request: requests[at] as never, response, sentAtMs })),
      );
      return views.map(expectedOf);
    },
  });
}

function whyOpen(samples: readonly Seen[]): string | undefined {
  if (samples.some(({ view, request }) => view.kind === 'lost' || request.isBodyUnknown)) {
    return 'A response was lost, and its deletion may have been done.';
  }
  const events = samples.flatMap(({ request, view }) =>
    request.operationId === 'deleteEventsByRefs' ? view.records : [],
  );
  return events.every(({ ref }) => typeof ref === 'string')
    ? undefined
    : 'Events do not show their refs.';
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

/** Of a decision that contracts and events show, only what both say is said. */
function both(one: Found | undefined, other: Found): Found {
  if (!one || one.verdict === 'unseen') return other;
  const isSame = one.verdict === other.verdict && one.value === other.value;
  if (other.verdict === 'unseen' || isSame) return one;
  const [settled, open] = one.verdict === 'settled' ? [one, other] : [other, one];
  // What one kind of records does not tell, the other may.
  if (settled.verdict === 'settled' && open.isBetween) return settled;
  const { reason } =
    open.verdict === 'undecided' ? open : { reason: 'Contracts and events differ.' };
  const unexplained = [...(one.unexplained ?? []), ...(other.unexplained ?? [])];
  const evidence = [...one.evidence, ...other.evidence];
  return { verdict: 'undecided', evidence, unexplained, ...(reason && { reason }) };
}
