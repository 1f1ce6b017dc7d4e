import type { AccountDeclaration, Fixture } from '../../../core/datasets/fixture/fixture.js';
import { FixtureError } from '../../../core/datasets/fixture/parse-fixture.js';
import type { FixtureFiles } from '../../../core/datasets/fixture/read-fixture.js';
import { didYouMean } from '../../../core/values/did-you-mean.js';
import { membersOf } from '../../../core/values/json-value.js';
import { describeMistake } from '../../../core/values/mistake.js';

/** The name of a fixture that is given as an object; no dataset has such a name. */
export const OWN_FIXTURE = "the option 'dataset'";

interface Needed {
  readonly dataset: string;
  readonly accounts: Readonly<Record<string, AccountDeclaration>>;
  readonly own: Fixture | undefined;
}

/** Finds fixtures without files: the package's by their names, and the one in the options. */
export async function fixturesIn(
  shipped: Readonly<Record<string, () => Promise<unknown>>>,
  { dataset, accounts, own }: Needed,
): Promise<FixtureFiles> {
  const loaded = new Map<string, unknown>();
  async function load(name: unknown): Promise<void> {
    if (typeof name !== 'string' || loaded.has(name)) return;
    const loadShipped = Object.hasOwn(shipped, name) ? shipped[name] : undefined;
    const value = name === OWN_FIXTURE ? own : await loadShipped?.();
    loaded.set(name, value);
    for (const next of namesIn(value)) await load(next);
  }
  for (const name of [dataset, ...namesIn({ accounts })]) await load(name);
  const names = Object.keys(shipped);
  return {
    locate(path) {
      if (loaded.get(path) !== undefined) return { path };
      const fix = didYouMean(path, names);
      const expected = `${names.join(', ')}, or a fixture as an object`;
      return { path, unknown: { expected, ...(fix && { fix }) } };
    },
    read(path) {
      const value = loaded.get(path);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        const explain = (mistakes: Parameters<ReturnType<FixtureFiles['read']>['explain']>[0]) =>
          mistakes.map((mistake) => `The option 'dataset': ${describeMistake(mistake)}`);
        return { path, value: structuredClone(value), explain };
      }
      throw new FixtureError("The option 'dataset' is not an object; expected a fixture.");
    },
    shipped: (path) => (path === OWN_FIXTURE ? undefined : { value: loaded.get(path) }),
    isOfPackage: (path) => path !== OWN_FIXTURE,
    nameOf: (path) => (path === OWN_FIXTURE ? 'own' : path),
  };
}

function namesIn(fixture: unknown): unknown[] {
  const { extends: base, accounts } = membersOf(fixture);
  return [base, ...Object.values(membersOf(accounts)).map((one) => membersOf(one).dataset)];
}
