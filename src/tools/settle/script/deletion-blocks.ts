import { MADE_UP_REF, randomLike, randomLookupLike } from '../seen/made-up-values.js';
import { isSuccess } from '../seen/samples.js';
import type { Block, BlockRequest, Run } from './block.js';

/** The most refs that a request may have (section 8). */
const MAX_REFS = 1000;

/** How long to wait before asking again: services may answer differently right after a deletion. */
const LATER_MS = 3_000;

export const DELETION_BLOCKS: readonly Block[] = [
  {
    requests:
      'DELETE /contracts/{contractId} for each scratch contract, twice, and for a random id',
    shows: ['deleteContract', 'records', 'customersAndContracts'],
    madeUp: 'a random id of a contract',
    changesRecords: true,
    reserves: ({ scratchContracts }) => scratchContracts.length * 2 + 1,
    send: async (run) => {
      for (const id of new Set(run.scratchContracts)) {
        await run.write(deleteContract(id));
        await run.write(deleteContract(id));
      }
      const [random] = run.scratchContracts.flatMap((id) => randomLike(id, run.seed) ?? []);
      if (random !== undefined) await run.write(deleteContract(random));
    },
  },
  {
    requests:
      'POST /events/delete-by-refs without refs, with refs that no event has and, if they are refused, with a scratch ref beside them; then with the scratch refs shuffled and a member that the document does not list, and twice without that member',
    shows: ['deleteEventsByRefs', 'records'],
    madeUp:
      'refs that no event should have, and a member of a body that the specification does not list',
    changesRecords: true,
    reserves: ({ scratchRefs }) => (scratchRefs.length === 0 ? 0 : 7),
    send: deleteScratchEvents,
  },
  {
    requests: `these deletions once more, ${LATER_MS / 1000} s later`,
    shows: ['deleteContract', 'deleteEventsByRefs'],
    changesRecords: true,
    reserves: ({ scratchContracts, scratchRefs }) =>
      scratchContracts.length + (scratchRefs.length === 0 ? 0 : 3),
    send: async (run) => {
      // The clock of the wait starts with the latest response, however long it took.
      await run.pause(LATER_MS);
      for (const id of new Set(run.scratchContracts)) await run.write(deleteContract(id));
      const refs = inNoOrder(run.scratchRefs);
      if (refs.length === 0) return;
      await run.write(deleteEvents(refs));
      await run.write(deleteEvents([...refs.slice(0, 1), MADE_UP_REF]));
      await run.write(deleteEvents(refs, UNKNOWN_MEMBER));
    },
  },
];

const UNKNOWN_MEMBER = { undocumentedMember: true };

async function deleteScratchEvents(run: Run): Promise<void> {
  const refs = inNoOrder(run.scratchRefs);
  const [ref] = refs;
  if (ref === undefined) return;
  await run.write(deleteEvents([]));
  const unknown = await run.write(deleteEvents([MADE_UP_REF]));
  const random = randomLookupLike(ref, run.seed, sharedPrefixOf(refs).length);
  if (random !== undefined) await run.write(deleteEvents([random]));
  // Beside a known ref, an unknown one may be ignored, or refused while the event is deleted.
  if (unknown && !isSuccess(unknown)) await run.write(deleteEvents([ref, MADE_UP_REF]));
  // Sent first: with no events left, a call that deletes nothing would look like any other.
  await run.write(deleteEvents(refs, UNKNOWN_MEMBER));
  await run.write(deleteEvents(refs));
  await run.write(deleteEvents(refs));
}

/** What all refs begin with, up to a character that is neither a letter nor a digit. */
function sharedPrefixOf(refs: readonly string[]): string {
  const [first = ''] = refs;
  const ends = [...first.matchAll(/[^A-Za-z\d]/g)].map(({ index }) => first.slice(0, index + 1));
  return ends.findLast((prefix) => refs.every((ref) => ref.startsWith(prefix))) ?? '';
}

/** Reorders refs: sorted or as given, they may happen to be in the order of the events. */
function inNoOrder(given: readonly string[]): readonly string[] {
  const refs = [...new Set(given)].slice(0, MAX_REFS);
  const sorted = [...refs].sort();
  const [even = [], odd = []] = [0, 1].map((rest) => sorted.filter((_, at) => at % 2 === rest));
  const taken = [refs, refs.toReversed(), sorted].map(String);
  const order = [...even, ...odd];
  return taken.includes(String(order)) ? [...odd, ...even] : order;
}

function deleteContract(contractId: string): BlockRequest {
  return { operationId: 'deleteContract', path: { contractId } };
}

function deleteEvents(refs: readonly string[], more: object = {}): BlockRequest {
  return { operationId: 'deleteEventsByRefs', body: { refs, ...more } };
}
