import type { AccountStore } from '../../core/billing/account-store.js';
import { RESOURCE_NAMES, type ResourceName } from '../../core/billing/resources.js';
import { type Anonymise, createAnonymiser } from '../../core/datasets/fixture/anonymise.js';
import { type Fixture, SAVED_FORMAT, type Scenario } from '../../core/datasets/fixture/fixture.js';
import { InvalidInputError } from '../../core/errors/invalid-input.js';
import type { Sign } from '../../core/stubs/issued-tokens.js';
import { unknownName } from '../../core/values/mistake.js';
import { OPENING } from './snapshots.js';

/**
 * How to turn an account into a fixture.
 *
 * @example
 * const options: FixtureOptions = { whole: true, key: 'always the same' };
 * console.log(account.fixture(options).customers);
 */
export interface FixtureOptions {
  /** True to save every record, without reference to the dataset. */
  readonly whole?: boolean | undefined;
  /** True to keep all values as they are, except ids with `newIds`. */
  readonly keepNames?: boolean | undefined;
  /**
   * Pointers to members that are kept unchanged with all that they contain, such as
   * `/customers/address` or `/events/data/currency`. They leave out list indexes.
   */
  readonly keep?: readonly string[] | undefined;
  /** The key to invent texts from: the same key gives the same replacements; random by default. */
  readonly key?: string | undefined;
  /** True to invent ids as well. Needs every record, so it implies `whole`. */
  readonly newIds?: boolean | undefined;
}

/**
 * An account in the format of a fixture file.
 *
 * @example
 * const fixture: AccountFixture = account.fixture();
 * console.log(JSON.stringify(fixture));
 */
export type AccountFixture = Omit<
  Fixture,
  '$schema' | 'digest' | 'accounts' | 'decisions' | 'stubs' | 'generate'
>;

const isBoolean = (value: unknown) => typeof value === 'boolean';

export const EXPECTED_POINTER = `a pointer such as /customers/address/city, to a member in ${RESOURCE_NAMES.join(', ')}`;

export function isMemberPointer(value: unknown): boolean {
  const [before, collection, ...names] = String(value).split('/');
  const isCollection = RESOURCE_NAMES.some((name) => name === collection);
  return before === '' && isCollection && names.length > 0 && !names.includes('');
}

const OPTIONS: Readonly<
  Record<keyof FixtureOptions, readonly [string, (value: unknown) => boolean]>
> = {
  whole: ['true or false', isBoolean],
  keepNames: ['true or false', isBoolean],
  keep: [
    `a list, each ${EXPECTED_POINTER}`,
    (value) => Array.isArray(value) && value.every(isMemberPointer),
  ],
  key: ['a string', (value) => typeof value === 'string'],
  newIds: ['true or false', isBoolean],
};

/** Throws an `InvalidInputError` for an unknown option, or a value of the wrong type. */
export function checkFixtureOptions(options: FixtureOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(OPTIONS, name)) {
      throw new InvalidInputError([unknownName([name], value, Object.keys(OPTIONS), 'option')]);
    }
    const [expected, isExpected] = OPTIONS[name as keyof FixtureOptions];
    if (!isExpected(value)) throw new InvalidInputError(name, expected, value);
  }
}

/** Accounts over the fixture open in the scenario. */
export function saveFixture(
  store: AccountStore,
  scenario: Scenario | undefined,
  { whole = false, keepNames, keep, key = crypto.randomUUID(), newIds = false }: FixtureOptions,
  sign: Sign,
): AccountFixture {
  const { bases } = store;
  const isWhole = whole || newIds;
  const known = new Set<string>();
  const replacesNothing = keepNames && !newIds;
  const anonymise: Anonymise = replacesNothing
    ? (_name, record) => record
    : createAnonymiser({
        digest: (text) => sign(text, key),
        keepNames,
        keep,
        newIds,
        isKnown: (text) => !isWhole && (known.has(text) || isOfCustomer(bases.customers, text)),
        isId: (text) => RESOURCE_NAMES.some((name) => store[name].get(text) !== undefined),
      });
  const removed: { [Name in ResourceName]?: string[] | 'all' } = {};
  const lists: { [Name in ResourceName]?: object[] } = {};

  for (const name of isWhole || replacesNothing ? [] : RESOURCE_NAMES) {
    for (const [, { id }] of store[name].changedFrom(0)) noteTexts(bases[name].get(id), known);
  }
  for (const name of RESOURCE_NAMES) {
    const changed = isWhole ? [] : [...store[name].changedFrom(0)];
    const records = isWhole
      ? store[name]
      : changed.flatMap(([, { id }]) => store[name].get(id) ?? []);
    const saved = Array.from(records as Iterable<object>, (one) => anonymise(name, one as never));
    if (saved.length > 0) lists[name] = saved;
    const ids = changed.flatMap(([, { id }]) => (store.isRemoved(name, id) ? [id] : []));
    if (!isWhole && store[name].isCleared) removed[name] = 'all';
    else if (ids.length > 0) removed[name] = ids;
  }
  return {
    ...(!isWhole && { extends: bases.source, seed: bases.seed }),
    format: SAVED_FORMAT,
    exact: true,
    ...(bases.keepsUndocumented && { undocumented: 'keep' }),
    ...(Object.keys(removed).length > 0 && { removed }),
    ...lists,
    ...(scenario && { scenarios: { [OPENING]: scenario } }),
  } as AccountFixture;
}

function isOfCustomer(customers: AccountStore['bases']['customers'], text: string): boolean {
  return ['name or alias', 'externalId'].some((index) => customers.find(index, text).length > 0);
}

function noteTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value);
  else if (typeof value === 'object' && value !== null) {
    for (const inside of Object.values(value)) noteTexts(inside, texts);
  }
}
