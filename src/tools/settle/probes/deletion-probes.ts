import { realTimeMs } from '../../../host/adapters/unfaked-time.js';
import { MADE_UP_REF, randomLike, randomLookupLike } from '../seen/made-up-values.js';
import { isSuccess, isWithoutEnvelope, type Sample } from '../seen/samples.js';
import type { Known, Probe, ProbeRequest } from './probe.js';

/** The most refs that a request may have (section 8). */
const MOST_REFS = 1000;

/** How long to wait before asking again: services may answer differently right after a deletion. */
const LATER_MS = 3_000;

const WITH_MEMBER = 'undocumentedMember';

const UNKNOWN_REFS = 'refs that no event should have: of zeros, and a random one';

export const DELETION_PROBES: readonly Probe[] = [
  {
    requests:
      'DELETE /contracts/{contractId} for each scratch contract, twice if the first succeeds',
    tells: [
      'repeat-delete',
      'updated-at-on-delete',
      'success-status',
      'optional-fields',
      'enum-values',
      'undocumented-fields',
    ],
    changesRecords: true,
    send: async (ask, { scratchContracts }) => {
      for (const contractId of new Set(scratchContracts)) {
        // A second delete proves nothing unless the first one succeeded.
        if (isSuccess(await ask(deleteContract(contractId)))) await ask(deleteContract(contractId));
      }
    },
  },
  {
    requests:
      'POST /events/delete-by-refs with a ref that no event has, with a random one that looks like a scratch ref and, if the first is refused, with a scratch ref beside it',
    tells: ['unmatched-refs', 'success-status'],
    madeUp: UNKNOWN_REFS,
    changesRecords: true,
    send: async (ask, { scratchRefs, seed }) => {
      const isIgnored = isSuccess(await ask(deleteEvents([MADE_UP_REF])));
      const [ref] = inNoOrder(scratchRefs);
      if (ref === undefined) return;
      const random = randomLookupLike(ref, seed, sharedPrefixOf(scratchRefs).length);
      if (random !== undefined) await ask(deleteEvents([random]));
      // Beside a known ref, an unknown one may be ignored, or refused while the event is deleted.
      if (!isIgnored) await ask(deleteEvents([ref, MADE_UP_REF]));
    },
  },
  {
    requests:
      'POST /events/delete-by-refs with the scratch refs shuffled and a member that the document does not list, then without that member',
    tells: [
      'repeat-event-delete',
      'deleted-events-order',
      'updated-at-on-delete',
      'unknown-body-members',
      'unmatched-refs',
      'success-status',
      'optional-fields',
      'undocumented-fields',
    ],
    madeUp: 'a member of a body that the specification does not list',
    changesRecords: true,
    send: async (ask, { scratchRefs }) => {
      const refs = inNoOrder(scratchRefs);
      if (refs.length === 0) return;
      // Sent first: with no events left, a call that deletes nothing would look like any other.
      await ask(deleteEvents(refs, { [WITH_MEMBER]: true }));
      await ask(deleteEvents(refs));
    },
  },
  {
    requests: `DELETE /contracts/{contractId} once more, ${LATER_MS / 1000} s later, and with a random id if a repeated delete got 400 or 422`,
    tells: ['repeat-delete'],
    changesRecords: true,
    send: async (ask, { samples, seed, pause }) => {
      const deletes = samples.filter(({ request }) => request.operationId === 'deleteContract');
      const deleted = new Set(deletes.filter(isSuccess).map(contractOf));
      await untilLater(samples, deletes, pause);
      for (const contractId of deleted) await ask(deleteContract(contractId));
      // A 400 or 422 is about the deletion only if an unknown contract gets another status.
      const refused = samples
        .filter(({ response: { status } }) => status === 400 || status === 422)
        .map(contractOf);
      const ids = refused.filter((id) => deleted.has(id));
      const unknown = ids.flatMap((id) => randomLike(id, seed) ?? [])[0];
      if (unknown !== undefined) await ask(deleteContract(unknown));
    },
  },
  {
    requests: `POST /events/delete-by-refs with the scratch refs once more, ${LATER_MS / 1000} s later, and with an unknown ref beside one of them`,
    tells: ['repeat-event-delete', 'unmatched-refs', 'unknown-body-members'],
    madeUp: UNKNOWN_REFS,
    changesRecords: true,
    send: async (ask, { samples, scratchRefs, pause }) => {
      if (scratchRefs.length === 0) return;
      const deletions = samples.filter(
        ({ request }) => request.operationId === 'deleteEventsByRefs',
      );
      await untilLater(samples, deletions, pause);
      const refs = inNoOrder(scratchRefs);
      await ask(deleteEvents(refs));
      await ask(deleteEvents([...refs.slice(0, 1), MADE_UP_REF]));
      // What came instead of a list of events must come back to say anything.
      const odd = deletions.find(
        (one) => isWithoutEnvelope(one) && WITH_MEMBER in Object(one.request.body),
      );
      if (odd) await ask(deleteEvents(refs, { [WITH_MEMBER]: true }));
    },
  },
];

/** Waits until three seconds after the response to the latest deletion. */
async function untilLater(
  samples: readonly Sample[],
  deletions: readonly Sample[],
  pause: Known['pause'],
): Promise<void> {
  const latest = deletions.filter(isSuccess).at(-1);
  if (!latest) return;
  const now = realTimeMs();
  // The next request was sent right after that response, which may have taken a while.
  const { sentAtMs = now } = samples[samples.indexOf(latest) + 1] ?? {};
  await pause(sentAtMs + LATER_MS - now);
}

/** What all refs begin with, up to a character that is neither a letter nor a digit. */
function sharedPrefixOf(refs: readonly string[]): string {
  const [first = ''] = refs;
  const ends = [...first.matchAll(/[^A-Za-z\d]/g)].map(({ index }) => first.slice(0, index + 1));
  return ends.findLast((prefix) => refs.every((ref) => ref.startsWith(prefix))) ?? '';
}

function contractOf({ request }: Sample): string {
  return String(request.path.contractId);
}

/** Reorders refs: sorted or as given, they may happen to be in the order of the events. */
function inNoOrder(given: readonly string[]): readonly string[] {
  const refs = [...new Set(given)].slice(0, MOST_REFS);
  const sorted = [...refs].sort();
  const [even, odd] = [0, 1].map((rest) => sorted.filter((_, at) => at % 2 === rest));
  const orders = [
    [...(odd ?? []), ...(even ?? [])],
    [...(even ?? []), ...(odd ?? [])],
    [...sorted].reverse(),
  ];
  const taken = [refs, [...refs].reverse(), sorted].map(String);
  return orders.find((order) => !taken.includes(String(order))) ?? [...sorted].reverse();
}

function deleteContract(contractId: string): ProbeRequest {
  return { operationId: 'deleteContract', path: { contractId } };
}

function deleteEvents(refs: readonly string[], more: object = {}): ProbeRequest {
  return { operationId: 'deleteEventsByRefs', body: { refs, ...more } };
}
