import { AccountStore, type Bases, type Collections } from '../../core/billing/account-store.js';
import { RESOURCE_NAMES, type ResourceName, type Resources } from '../../core/billing/resources.js';
import { completeRecord } from '../../core/datasets/dataset.js';
import type { Scenario } from '../../core/datasets/fixture/fixture.js';
import { laterFormat, placed, wrongIdsIn } from '../../core/datasets/fixture/fixture-checks.js';
import { wrongValues } from '../../core/datasets/fixture/read-fixture.js';
import type { RecordChecks } from '../../core/datasets/fixture/schema-checks.js';
import type { Datasets } from '../../core/datasets/read-datasets.js';
import { SHIPPED_DATASETS } from '../../core/datasets/shipped-datasets.js';
import { firstMistakes } from '../../core/errors/first-mistakes.js';
import { InvalidInputError } from '../../core/errors/invalid-input.js';
import type { Base } from '../../core/store/base.js';
import type { Deletable } from '../../core/store/changes.js';
import type { Collection } from '../../core/store/collection.js';
import { frozenCopy } from '../../core/store/freeze.js';
import { didYouMean } from '../../core/values/did-you-mean.js';
import { memberOf, membersOf } from '../../core/values/json-value.js';
import type { Mistake } from '../../core/values/mistake.js';
import { shown } from '../../core/values/received-value.js';
import type { AccountFixture } from './account-fixture.js';
import type { AccountState } from './account-interface.js';
import { OPENING } from './snapshots.js';

type Shipped = Datasets['shipped'];

export function exportState(collections: Collections): AccountState {
  const lists = RESOURCE_NAMES.map((name) => [name, [...collections[name]]]);
  return Object.fromEntries(lists) as AccountState;
}

/** The scenario that a saved account opens in; undefined for records alone. */
export function openingOf(state: AccountFixture): Scenario | undefined {
  if (!isSavedForm(state)) return undefined;
  return state.scenarios?.[OPENING] ?? {};
}

/** The dataset that a saved account extends: a shipped one, or that of the account. */
export function basesOf(own: Bases, { extends: source }: AccountFixture, shipped: Shipped) {
  return (source === own.source ? undefined : shipped(source)) ?? own;
}

/** Whether it says more than records, so that it replaces all that an account has changed. */
function isSavedForm(state: unknown): boolean {
  return Object.keys(membersOf(state)).some((name) => !RESOURCE_NAMES.includes(name as never));
}

/**
 * Builds a store with the records of a state, or with the changes of a saved account. A record that
 * equals the dataset's takes no memory of its own, unless the state has less than half as many as
 * the dataset. Throws an `InvalidInputError` for a mistake.
 */
export function importedState(
  bases: Bases,
  state: AccountFixture,
  checks: RecordChecks,
): AccountStore {
  const mistakes = wrongState(bases, state, checks);
  if (mistakes.length > 0) throw new InvalidInputError(mistakes);
  return buildFrom(bases, state);
}

/** Finds mistakes in the records of a state, or in a saved account, over a dataset. */
export function wrongState(bases: Bases, state: AccountFixture, given: RecordChecks): Mistake[] {
  const checks = bases.keepsUndocumented ? given.keepingUndocumented() : given;
  const later = laterFormat(state);
  if (later.length > 0) return later;
  const mistakes = [
    ...checks.value('State', state),
    ...RESOURCE_NAMES.flatMap((name) => wrongIdsIn([name], membersOf(state)[name])),
  ];
  if (mistakes.length === 0 && isSavedForm(state))
    mistakes.push(...wrongForm(state, checks, bases));
  return firstMistakes(mistakes);
}

/** Builds a store from what is known to have no mistakes. */
function buildFrom(bases: Bases, state: AccountFixture): AccountStore {
  const built = new AccountStore(bases);
  for (const name of RESOURCE_NAMES) fillFrom(state, name, built, bases);
  return built;
}

function fillFrom<Name extends ResourceName>(
  state: AccountFixture,
  name: Name,
  built: Collections,
  bases: Bases,
): void {
  // By id, with ids and timestamps filled in.
  const records = new Map<string, Resources[Name]>();
  const given: readonly Partial<Resources[Name]>[] = state[name] ?? [];
  for (const [index, written] of given.entries()) {
    const record = completeRecord(name, written, 1, 0, index);
    records.set(record.id, record);
  }
  if (state.extends === undefined) keepOnly(records, built[name], bases[name]);
  else if (state.removed?.[name] === 'all') built[name].clear();
  else for (const id of state.removed?.[name] ?? []) built[name].remove(id);
  for (const record of records.values()) built[name].put(frozenCopy(record));
}

function keepOnly<T extends Deletable>(
  records: ReadonlyMap<string, T>,
  collection: Collection<T>,
  base: Base<T>,
): void {
  if (2 * records.size < base.size) collection.clear();
  else for (const { id } of base) if (!records.has(id)) collection.remove(id);
}

/** Finds mistakes of a saved account outside its records, such as another dataset. */
function wrongForm(
  state: AccountFixture,
  checks: RecordChecks,
  { source, seed }: Bases,
): Mistake[] {
  const form = membersOf(state);
  const { scenarios, ...withoutScenarios } = form;
  const scenario = memberOf(scenarios, OPENING) ?? {};
  const expected = {
    extends: [source, `${shown(source)}, as the account has, or ${SHIPPED_DATASETS.join(', ')}`],
    ...(form.seed !== undefined && { seed: [seed, `${seed}, as the dataset has`] }),
  };
  const others = Object.entries(form.extends === undefined ? {} : expected).filter(
    ([name, [value]]) => form[name] !== value,
  );
  return [
    // The scenario is checked by itself: it may be as deep as a stub's body, and more.
    ...checks.fixture({
      ...withoutScenarios,
      ...Object.fromEntries(RESOURCE_NAMES.map((name) => [name, []])),
    }),
    ...placed(['scenarios', OPENING], wrongValues(scenario, checks.scenario(scenario), 'account')),
    ...others.map(([name, [, words]]) => ({
      path: [name],
      expected: String(words),
      received: form[name],
      fix:
        didYouMean(form[name], SHIPPED_DATASETS) ??
        'Start a mock with this file as its dataset instead.',
    })),
  ];
}
