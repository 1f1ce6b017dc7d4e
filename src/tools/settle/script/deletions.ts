import { MADE_UP_REF, randomLike, randomLookupLike } from '../seen/made-up-values.js';
import { isSuccess } from '../seen/samples.js';
import type { Run, ScriptRequest } from './run.js';

/** The most refs that a request may have (section 8). */
const MAX_REFS = 1000;

/** How long to wait before asking again: services may answer differently right after a deletion. */
const LATER_MS = 3_000;

export const DELETIONS = [
  'DELETE /contracts/{contractId} for each scratch contract, twice, and for a random id',
  'POST /events/delete-by-refs without refs, with refs that no event has and, if they are refused, with a scratch ref beside them; then with the scratch refs shuffled and a member that the document does not list, and twice without that member',
  `these deletions once more, ${LATER_MS / 1000} s later`,
];

/** The most requests that `sendDeletions` sends. */
export function deletionsOf({
  scratchContracts,
  scratchRefs,
}: Pick<Run, 'scratchContracts' | 'scratchRefs'>) {
  return scratchContracts.length * 3 + 1 + (scratchRefs.length === 0 ? 0 : 10);
}

/** Deletes the scratch records, then asks again what the service says of them. */
export async function sendDeletions(run: Run): Promise<void> {
  const { ask, seed } = run;
  const contracts = [...new Set(run.scratchContracts)];
  for (const id of contracts) {
    await ask(deleteContract(id));
    await ask(deleteContract(id));
  }
  const [random] = contracts.flatMap((id) => randomLike(id, seed) ?? []);
  if (random !== undefined) await ask(deleteContract(random));
  const refs = inNoOrder(run.scratchRefs);
  if (refs.length > 0) await deleteScratchEvents(run, refs);
  // The clock of the wait starts with the latest response, however long it took.
  await run.pause(LATER_MS);
  for (const id of contracts) await ask(deleteContract(id));
  if (refs.length === 0) return;
  await ask(deleteEvents(refs));
  await ask(deleteEvents([...refs.slice(0, 1), MADE_UP_REF]));
  await ask(deleteEvents(refs, UNKNOWN_MEMBER));
}

const UNKNOWN_MEMBER = { undocumentedMember: true };

async function deleteScratchEvents({ ask, seed }: Run, refs: readonly string[]): Promise<void> {
  const [ref = ''] = refs;
  await ask(deleteEvents([]));
  const unknown = await ask(deleteEvents([MADE_UP_REF]));
  const random = randomLookupLike(ref, seed, sharedPrefixOf(refs).length);
  if (random !== undefined) await ask(deleteEvents([random]));
  // Beside a known ref, an unknown one may be ignored, or refused while the event is deleted.
  if (unknown && !isSuccess(unknown)) await ask(deleteEvents([ref, MADE_UP_REF]));
  // Sent first: with no events left, a call that deletes nothing would look like any other.
  await ask(deleteEvents(refs, UNKNOWN_MEMBER));
  await ask(deleteEvents(refs));
  await ask(deleteEvents(refs));
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

function deleteContract(contractId: string): ScriptRequest {
  return { operationId: 'deleteContract', path: { contractId } };
}

function deleteEvents(refs: readonly string[], more: object = {}): ScriptRequest {
  return { operationId: 'deleteEventsByRefs', body: { refs, ...more } };
}
