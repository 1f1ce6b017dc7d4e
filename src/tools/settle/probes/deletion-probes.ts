import type { OperationId } from '#spec';
import { realTimeMs } from '../../../host/adapters/unfaked-time.js';
import { MADE_UP_REF, randomLike, randomLookupLike } from '../seen/made-up-values.js';
import { isSuccess, isWithoutEnvelope, type Sample } from '../seen/samples.js';
import { type Known, type Probe, type ProbeRequest, TOLD_BY_RECORDS } from './probe.js';

/** The most refs that a request may have (section 8). */
const MOST_REFS = 1000;

/** How long to wait before asking again: services may answer differently right after a deletion. */
const LATER_MS = 3_000;

/** What the first deletion of any record tells. */
const TOLD_BY_ALL = [...TOLD_BY_RECORDS, 'updated-at-on-delete', 'success-status'] as const;

const WITH_MEMBER = 'undocumentedMember';

const UNKNOWN_REFS = 'refs that no event should have: of zeros, and a random one';

export const DELETION_PROBES: readonly Probe[] = [
  {
    requests:
      'DELETE /contracts/{contractId} for each scratch contract, twice if the first succeeds',
    tells: [...TOLD_BY_ALL, 'enum-values', 'repeat-delete'],
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
      ...TOLD_BY_ALL,
      ...(['repeat-event-delete', 'deleted-events-order'] as const),
      ...(['unknown-body-members', 'unmatched-refs'] as const),
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
    send: async (ask, known) => {
      const { samples, seed } = known;
      const deletions = await untilLater('deleteContract', known);
      const deleted = new Set(deletions.filter(isSuccess).map(contractOf));
      for (const contractId of deleted) await ask(deleteContract(contractId));
      // A 400 or 422 is about the deletion only if an unknown contract gets another status.
      const [unknown] = samples
        .filter(({ response: { status } }) => status === 400 || status === 422)
        .map(contractOf)
        .flatMap((id) => (deleted.has(id) ? (randomLike(id, seed) ?? []) : []));
      if (unknown !== undefined) await ask(deleteContract(unknown));
    },
  },
  {
    requests: `POST /events/delete-by-refs with the scratch refs once more, ${LATER_MS / 1000} s later, and with an unknown ref beside one of them`,
    tells: ['repeat-event-delete', 'unmatched-refs', 'unknown-body-members'],
    madeUp: UNKNOWN_REFS,
    changesRecords: true,
    send: async (ask, known) => {
      const refs = inNoOrder(known.scratchRefs);
      if (refs.length === 0) return;
      const deletions = await untilLater('deleteEventsByRefs', known);
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

/** Waits until three seconds after the response to the latest of these deletions; returns them. */
async function untilLater(operationId: OperationId, { samples, pause }: Known) {
  const deletions = samples.filter(({ request }) => request.operationId === operationId);
  const at = samples.findLastIndex((one) => deletions.includes(one) && isSuccess(one));
  // The next request was sent right after that response, which may have taken a while.
  const { sentAtMs = realTimeMs() } = samples[at + 1] ?? {};
  if (at >= 0) await pause(sentAtMs + LATER_MS - realTimeMs());
  return deletions;
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
  const [even = [], odd = []] = [0, 1].map((rest) => sorted.filter((_, at) => at % 2 === rest));
  const taken = [refs, refs.toReversed(), sorted].map(String);
  const order = [...even, ...odd];
  return taken.includes(String(order)) ? [...odd, ...even] : order;
}

function deleteContract(contractId: string): ProbeRequest {
  return { operationId: 'deleteContract', path: { contractId } };
}

function deleteEvents(refs: readonly string[], more: object = {}): ProbeRequest {
  return { operationId: 'deleteEventsByRefs', body: { refs, ...more } };
}
