import { AccountStore, type Bases, type Collections } from '../billing/account-store.js';
import { RESOURCE_NAMES, type ResourceName, type Resources } from '../billing/resources.js';
import type { Coverage } from '../coverage/coverage.js';
import { Counts, type CoverageCounter } from '../coverage/coverage-counter.js';
import type { Dataset } from '../datasets/dataset.js';
import type { Scenario } from '../datasets/fixture/fixture.js';
import type { RecordChecks } from '../datasets/fixture/schema-checks.js';
import type { DecisionState } from '../decisions/decision-changes.js';
import { InvalidInputError } from '../errors/invalid-input.js';
import { ProblemError } from '../errors/problem-error.js';
import { unknownScenario } from '../errors/unknown-id.js';
import type { Base } from '../store/shared-records.js';
import { finish, type Steps } from '../store/work-in-steps.js';
import type { Sign } from '../stubs/issued-tokens.js';
import { Stubs } from '../stubs/stubs.js';
import { ownText } from '../values/own-text.js';
import { cut } from '../values/received-value.js';
import type { AccountControl, AccountState, RecordChange } from './account-control.js';
import { AccountDecisions } from './account-decisions.js';
import {
  type AccountFixture,
  checkFixtureOptions,
  type FixtureOptions,
  savingFixture,
} from './account-fixture.js';
import type { AccountOwner } from './account-name.js';
import { Clock } from './clock.js';
import { exportState, importingState } from './export-and-import.js';
import { type FaultRequest, Faults } from './faults.js';
import { Journal, type JournalRules } from './journal/journal.js';
import { Latency, type LatencyRange } from './latency.js';
import { createRecordEditor, type Records } from './records.js';
import { KEPT_PARTS, type KeptParts, OPENING, type SavedAccount, Snapshots } from './snapshots.js';
import type { StateBudget } from './state-budget.js';

/** What an account is built from, beside its dataset. */
export interface AccountParts {
  readonly decisions: DecisionState;
  /** Names of scenarios, of which it opens with the first that its dataset has. */
  readonly scenarios: readonly string[];
  readonly checks: RecordChecks;
  readonly journalRules: JournalRules;
  readonly stateBudget: StateBudget;
  readonly coverage: CoverageCounter;
  /** Signs what is digested with a key. */
  readonly sign: Sign;
  /** The faults that it opens with. */
  readonly faults: readonly FaultRequest[];
  /** The instant at which its clock is frozen when it opens. */
  readonly frozenAt?: Date | undefined;
  /** How long its responses are held back, unless a test changes it. */
  readonly latency: LatencyRange;
  /** What its latency is drawn from. */
  readonly seed: number;
  /** What its clock reads while it is not set, in ms since 1970; the current `Date` if left out. */
  readonly machineTime?: (() => number) | undefined;
}

/** So many characters are kept of why a test has failed. */
const LONGEST_FAILURE = 2_000;

/** Everything that one token has: its records, its time, its evidence, and how it is answered. */
export class Account implements AccountControl, KeptParts {
  /** What logs call it. */
  readonly owner: AccountOwner;
  /** When it was opened, in real time. */
  readonly openedAt = new Date();
  readonly store: AccountStore;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly stubs: Stubs;
  readonly latency: Latency;
  readonly decisions: AccountDecisions;
  readonly snapshots: Snapshots;
  /** Changes with every reset, restore and close: a request that began before must not act. */
  generation = 0;
  /** What its calls have touched of the contract. */
  readonly counts = new Counts();
  readonly #coverage: CoverageCounter;
  readonly #checks: RecordChecks;
  readonly #names: readonly string[];
  #dataset: Dataset;
  #plain: SavedAccount;
  readonly #sign: Sign;
  #opened: SavedAccount;

  /** Opens an account: a fork of the dataset, at no cost but its own changes. */
  constructor(dataset: Dataset, parts: AccountParts, owner: AccountOwner) {
    this.owner = owner;
    this.#dataset = dataset;
    this.#names = parts.scenarios;
    const { checks, stateBudget: budget } = parts;
    this.store = new AccountStore(dataset, budget);
    this.snapshots = new Snapshots(budget);
    this.journal = new Journal(parts.journalRules, owner);
    this.faults = new Faults(checks, budget);
    for (const fault of parts.faults) this.faults.add(fault);
    this.clock = new Clock(parts.machineTime, budget);
    if (parts.frozenAt) this.clock.freeze(parts.frozenAt);
    this.stubs = new Stubs('account', { check: checks.stub, budget });
    this.latency = new Latency(parts.latency, parts.seed, budget);
    this.decisions = new AccountDecisions(parts.decisions, this.store, budget);
    this.#coverage = parts.coverage;
    this.#checks = checks;
    this.#sign = parts.sign;
    this.#plain = this.save();
    this.#opened = this.#open();
  }

  /** Names it in the control plane; random. */
  get id(): string {
    return this.owner.id;
  }

  get customers(): Records<'customers'> {
    return this.records('customers');
  }

  get contracts(): Records<'contracts'> {
    return this.records('contracts');
  }

  get measurements(): Records<'measurements'> {
    return this.records('measurements');
  }

  get events(): Records<'events'> {
    return this.records('events');
  }

  /** What it opened with. */
  get opened(): SavedAccount {
    return this.#opened;
  }

  /** What it would open with without a scenario. */
  get plain(): SavedAccount {
    return this.#plain;
  }

  /** The records of one collection, by its name. */
  records<Name extends ResourceName>(name: Name): Records<Name> {
    const collections: Collections = this.store;
    return createRecordEditor(name, collections[name], this.#recordChecks, this.clock, (id) =>
      this.journal.noteBarrier(
        `'${cut(id)}' in ${name} was changed after it through the control plane or the library`,
      ),
    );
  }

  get #recordChecks(): RecordChecks {
    const { keepsUndocumented } = this.store.bases;
    return keepsUndocumented ? this.#checks.keepingUndocumented() : this.#checks;
  }

  changes(): RecordChange[] {
    return RESOURCE_NAMES.flatMap((collection) =>
      Array.from(this.store[collection].changedFrom(0), ([, changed]) => ({
        collection,
        ...changed,
      })),
    );
  }

  fingerprint(): string {
    return finish(this.store.fingerprinting());
  }

  coverage(): Coverage {
    return this.#coverage.report(this.decisions.inForce, this.counts);
  }

  exportState(): AccountState {
    return exportState(this.store);
  }

  importState(state: AccountState): void {
    finish(this.importing(state));
  }

  /** `importState` in steps; nothing is changed before the last. */
  *importing(state: AccountState): Steps<void> {
    yield* importingState(this.store, state, this.#recordChecks);
    this.journal.noteBarrier('records were imported after it');
  }

  fixture(options?: FixtureOptions): AccountFixture {
    return finish(this.savingFixture(options));
  }

  /** `fixture` in steps, as the account is at the first. */
  savingFixture(options: FixtureOptions = {}): Steps<AccountFixture> {
    checkFixtureOptions(options);
    return savingFixture(this.store.fork(), options, this.#sign);
  }

  snapshot(id?: string): string {
    this.#check('SnapshotRequest', id === undefined ? {} : { id });
    return this.snapshots.add(id, this.save());
  }

  restore(id: string): void {
    this.#restore(id === OPENING ? this.#opened : this.snapshots.get(id));
    this.journal.noteBarrier(`the snapshot '${id}' was restored after it`);
  }

  /** The names of the scenarios of its dataset. */
  scenarioNames(): string[] {
    return [...this.#dataset.scenarios.keys()];
  }

  scenario(name: string): void {
    const scenario = this.#dataset.scenarios.get(name);
    if (!scenario) throw unknownScenario(name, this.scenarioNames());
    const before = this.save();
    this.#restore(this.#plain);
    try {
      this.#apply(scenario);
    } catch (error) {
      this.#restore(before);
      throw error;
    }
    this.journal.noteBarrier(`the scenario '${name}' was applied after it`);
  }

  rewind(requestId: number): number {
    const replaced = this.journal.takeReplaced(requestId);
    this.generation += 1;
    for (const { putBack } of replaced.flat()) putBack();
    return replaced.length;
  }

  reset(): void {
    this.#restore(this.#opened);
    this.journal.restart();
    this.counts.clear();
  }

  setName(name: string): void {
    this.#check('AccountName', { name });
    this.owner.rename(name);
  }

  markFailed(message: string): void {
    this.#check('Failure', { message });
    const redacted = this.owner.redact(ownText(message.slice(0, 10 * LONGEST_FAILURE)));
    this.journal.noteFailure(ownText(redacted.slice(0, LONGEST_FAILURE)));
  }

  #check(schema: 'SnapshotRequest' | 'Failure' | 'AccountName', value: object): void {
    const mistakes = this.#checks.value(schema, value);
    if (mistakes.length > 0) throw new InvalidInputError(mistakes);
  }

  /** Becomes what opening it with this dataset and these decisions would give. */
  rebase(dataset: Dataset, decisions: DecisionState): void {
    this.#plain = { ...this.#plain, decisions };
    this.reset();
    this.#restore(this.#plain);
    this.snapshots.clear();
    this.store.rebase(dataset);
    this.#dataset = dataset;
    this.#opened = this.#open();
  }

  /** Drops everything; from now on its records can be neither read nor written. */
  close(): void {
    this.generation += 1;
    this.journal.end();
    this.snapshots.clear();
    this.owner.end();
    for (const name of KEPT_PARTS) this[name].end();
    this.store.rebase(CLOSED_BASES);
  }

  /** All that it has but the journal, safe against later changes. */
  save(): SavedAccount {
    return {
      store: this.store.snapshot(),
      faults: this.faults.snapshot(),
      clock: this.clock.snapshot(),
      stubs: this.stubs.snapshot(),
      latency: this.latency.snapshot(),
      decisions: this.decisions.snapshot(),
    };
  }

  /** Applies the scenario that it opens with, and returns what a reset goes back to. */
  #open(): SavedAccount {
    const name = this.#names.find((one) => this.#dataset.scenarios.has(one));
    if (name === undefined) return this.#plain;
    this.scenario(name);
    return this.save();
  }

  #apply(scenario: Scenario): void {
    const { faults = [], stubs = [], latency, clock, decisions = {} } = scenario;
    for (const collection of RESOURCE_NAMES) putAll(this.store, collection, scenario);
    for (const fault of faults) this.faults.add(fault);
    for (const stub of stubs) this.stubs.add(stub);
    if (latency !== undefined) this.latency.set(latency);
    if (clock) this.clock.set(clock);
    this.decisions.change(decisions);
  }

  #restore(saved: SavedAccount): void {
    this.generation += 1;
    this.store.restore(saved.store);
    for (const name of KEPT_PARTS) restorePart(this, name, saved);
  }
}

function restorePart<Name extends keyof KeptParts>(
  parts: KeptParts,
  name: Name,
  saved: SavedAccount,
): void {
  parts[name].restore(saved[name]);
}

/** Stores the records of a scenario, which are checked and complete. */
function putAll<Name extends ResourceName>(
  collections: Collections,
  name: Name,
  records: { readonly [Other in Name]?: readonly Partial<Resources[Other]>[] },
): void {
  for (const record of records[name] ?? []) collections[name].put(record as Resources[Name]);
}

/** How many records of each kind there are, tombstones included. */
export function sizesOf(collections: Collections): Record<ResourceName, number> {
  const sizes = RESOURCE_NAMES.map((name) => [name, collections[name].size]);
  return Object.fromEntries(sizes) as Record<ResourceName, number>;
}

/** What replaces the dataset of a closed account: using it throws, so that no write is lost. */
const CLOSED_BASES: Bases = {
  name: 'closed',
  source: 'closed',
  fingerprint: 'closed',
  seed: 0,
  keepsUndocumented: false,
  customers: closedBase(),
  contracts: closedBase(),
  measurements: closedBase(),
  events: closedBase(),
};

function closedBase<T>(): Base<T> {
  return {
    size: 0,
    indexes: {},
    get: refuse,
    find: refuse,
    from: refuse,
    after: refuse,
    page: refuse,
    countUpTo: refuse,
    summing: refuse,
    [Symbol.iterator]: refuse,
  };
}

function refuse(): never {
  throw new ProblemError(
    'conflict',
    'The account was closed; expected an open one. Call server.account(token) again.',
  );
}
