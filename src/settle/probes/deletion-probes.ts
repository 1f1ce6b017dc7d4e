import { MADE_UP_REF } from '../seen/made-up-values.js';
import { isSuccess, successBody } from '../seen/samples.js';
import type { Probe, ProbeRequest } from './probe.js';

/** The most refs that a request may have (section 8). */
const MOST_REFS = 1000;

/** How long a service may take until it finds no more what it has deleted. */
const LATER_MS = 3_000;

/** Deletes of the records that the user has named, and of a ref that no event has. */
export const DELETION_PROBES: readonly Probe[] = [
  {
    requests: 'DELETE /contracts/{contractId} twice for each scratch contract',
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
        const deleteIt: ProbeRequest = { operationId: 'deleteContract', path: { contractId } };
        // A contract that was not deleted the first time tells nothing the second.
        if (isSuccess(await ask(deleteIt))) await ask(deleteIt);
      }
    },
  },
  {
    requests:
      'POST /events/delete-by-refs with a ref that no event has and, if it is refused, with a scratch ref beside it',
    tells: ['unmatched-refs', 'success-status'],
    changesRecords: true,
    send: async (ask, { scratchRefs }) => {
      const isIgnored = isSuccess(await ask(deleteEvents([MADE_UP_REF])));
      const [ref] = inDescendingOrder(scratchRefs);
      // Beside others a service may ignore it, or delete what they match and still refuse the call.
      if (!isIgnored && ref !== undefined) await ask(deleteEvents([ref, MADE_UP_REF]));
    },
  },
  {
    requests:
      'POST /events/delete-by-refs with the scratch refs, twice, again later if the second response has events, and once more with a member that the document does not list',
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
    changesRecords: true,
    send: async (ask, { scratchRefs, pause }) => {
      const refs = inDescendingOrder(scratchRefs);
      if (refs.length === 0) return;
      await ask(deleteEvents(refs));
      const { events = [] } = successBody(await ask(deleteEvents(refs))) ?? {};
      if (Array.isArray(events) && events.length > 0) {
        await pause(LATER_MS);
        await ask(deleteEvents(refs));
      }
      await ask(deleteEvents(refs, { undocumentedMember: true }));
    },
  },
  {
    requests: 'DELETE /contracts/{contractId} once more, if it succeeded twice',
    tells: ['repeat-delete'],
    changesRecords: true,
    send: async (ask, { samples, pause }) => {
      const succeeded = samples
        .filter((sample) => sample.request.operationId === 'deleteContract' && isSuccess(sample))
        .map(({ request }) => String(request.path.contractId));
      const twice = succeeded.filter((id, at) => succeeded.indexOf(id) < at);
      // A service may find for a moment what it has deleted.
      if (twice.length > 0) await pause(LATER_MS);
      for (const contractId of new Set(twice)) {
        await ask({ operationId: 'deleteContract', path: { contractId } });
      }
    },
  },
];

/** Refs are often numbered in the order of the events: so their order is not that of the timestamps. */
function inDescendingOrder(refs: readonly string[]): readonly string[] {
  return [...new Set(refs)].sort().reverse().slice(0, MOST_REFS);
}

function deleteEvents(refs: readonly string[], more: object = {}): ProbeRequest {
  return { operationId: 'deleteEventsByRefs', body: { refs, ...more } };
}
