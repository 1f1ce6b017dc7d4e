import { RESOURCE_NAMES } from '../billing/resources.js';
import { membersOf } from '../datasets/fixture/fixture-checks.js';
import type { RecordChecks } from '../datasets/fixture/record-checks.js';
import { type Mistake, MOST_ERRORS } from '../errors/mistake.js';
import { expectedId } from '../errors/wrong-id.js';
import { inSteps, type Steps } from '../store/work-in-steps.js';

const RECORDS_A_CHECK = 100;

/** The mistakes of a state, at least one more than are listed if there are so many; none if it is valid. */
export function* checkingState(state: unknown, checks: RecordChecks): Steps<Mistake[]> {
  const mistakes = checks.value('State', withEmptyLists(state));
  for (const name of RESOURCE_NAMES) {
    const list = membersOf(state)[name];
    if (!Array.isArray(list)) continue;
    for (let start = 0; start < list.length; start += RECORDS_A_CHECK) {
      if (mistakes.length > MOST_ERRORS) return mistakes;
      const some = { [name]: list.slice(start, start + RECORDS_A_CHECK) };
      mistakes.push(...checks.value('State', some).map((mistake) => moved(mistake, start)));
      yield;
    }
    mistakes.push(...(yield* checkingIds(name, list)));
  }
  return mistakes;
}

/** The state without its records. */
function withEmptyLists(state: unknown): unknown {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) return state;
  const members = Object.entries(state);
  return Object.fromEntries(
    members.map(([name, value]) => [name, Array.isArray(value) ? [] : value]),
  );
}

/** The mistake with its place in the whole list. */
function moved({ path: [name = '', index, ...rest], ...mistake }: Mistake, start: number): Mistake {
  const place = index === undefined ? [] : [String(Number(index) + start)];
  return { ...mistake, path: [name, ...place, ...rest] };
}

/** The mistakes of ids that occur twice, or that no record can have. */
function* checkingIds(name: string, list: readonly unknown[]): Steps<Mistake[]> {
  const seen = new Set<string>();
  const mistakes: Mistake[] = [];
  yield* inSteps(list.entries(), ([index, record]) => {
    const { id } = membersOf(record);
    if (typeof id !== 'string' || mistakes.length > MOST_ERRORS) return;
    const expected = seen.has(id) ? 'a unique id' : expectedId(id);
    seen.add(id);
    if (expected) mistakes.push({ path: [name, String(index), 'id'], expected, received: id });
  });
  return mistakes;
}
