import { AccountStore, type Bases, type Collections } from '../../core/billing/account-store.js';
import { RESOURCE_NAMES, type ResourceName } from '../../core/billing/resources.js';
import type { Dataset } from '../../core/datasets/dataset.js';
import type { Scenario } from '../../core/datasets/fixture/fixture.js';
import type { RecordChecks } from '../../core/datasets/fixture/schema-checks.js';
import type { Datasets } from '../../core/datasets/read-datasets.js';
import type { DecisionState } from '../../core/decisions/switch-decisions.js';
import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { unknownScenario } from '../../core/errors/unknown-id.js';
import type { Sign } from '../../core/stubs/issued-tokens.js';
import { Stubs } from '../../core/stubs/stubs.js';
import { cut } from '../../core/values/received-value.js';
import type { components } from '../../generated/control.js';
import { AccountDecisions } from './account-decisions.js';
import {
  type AccountFixture,
  checkFixtureOptions,
  type FixtureOptions,
  saveFixture,
} from './account-fixture.js';
import type { AccountControl, AccountState, RecordChange } from './account-interface.js';
import type { AccountOwner, TestOutcome } from './account-name.js';
import { Clock } from './clock.js';
import { basesOf, exportState, importedState, openingOf } from './export-and-import.js';
import { type FaultRequest, Faults } from './faults.js';
import { Journal, type JournalRules } from './journal/journal.js';
import { Latency, type LatencyRange } from './latency.js';
import type { Limited, Limits } from './limits.js';
import { createRecordEditor, type Records } from './records.js';
import { scenarioOf } from './saved-scenario.js';
import { KEPT_PARTS, type KeptParts, OPENING, type SavedAccount, Snapshots } from './snapshots.js';

type Changed = components['schemas']['Account']['changed'];

export interface AccountParts {
  readonly decisions: DecisionState;
  /** Names of scenarios: the account opens with the first of them that its dataset has. */
  readonly scenarios: readonly string[];
  readonly checks: RecordChecks;
  readonly journalRules: JournalRules;
  readonly limits: Limits;
  /** How many changed records all accounts keep. */
  readonly countRecords: () => number;
  readonly sign: Sign;
  readonly shipped: Datasets['shipped'];
  readonly faults: readonly FaultRequest[];
  /** If given, the clock opens frozen at this instant. */
  readonly frozenAt?: Date | undefined;
  readonly latency: LatencyRange;
  /** The seed of the response delays. */
  readonly seed: number;
  /** The time that an unset clock shows, in ms since 1970; the current `Date` if left out. */
  readonly machineTime?: (() => number) | undefined;
}

export class Account implements AccountControl, KeptParts {
  readonly owner: AccountOwner;
  /** By `Date`, whatever the account's clock shows. */
  readonly openedAt = new Date();
  /** When it was last reset because its dataset changed, by `Date`; undefined if it never was. */
  reloadedAt: Date | undefined;
  readonly store: AccountStore;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly stubs: Stubs;
  readonly latency: Latency;
  readonly decisions: AccountDecisions;
  readonly snapshots: Snapshots;
  /**
   * Incremented by each reset, restore, scenario, rewind and close, so that a request that began
   * earlier does not run its operation.
   */
  generation = 0;
  readonly #checks: RecordChecks;
  readonly #names: readonly string[];
  #dataset: Dataset;
  #plain: SavedAccount;
  readonly #sign: Sign;
  readonly #shipped: Datasets['shipped'];
  readonly #parts: Pick<AccountParts, 'limits' | 'countRecords'>;
  #opened: SavedAccount;
  /** What it opened with, which does not count. */
  #openedWith = new Map<Limited, number>();

  /** Forks the dataset, so it takes memory only for the account's changes. */
  constructor(dataset: Dataset, parts: AccountParts, owner: AccountOwner) {
    this.owner = owner;
    this.#dataset = dataset;
    this.#names = parts.scenarios;
    this.#parts = parts;
    const { checks } = parts;
    const admitting = (what: Limited) => (more: number) => this.#admit(what, more);
    this.store = new AccountStore(dataset);
    this.snapshots = new Snapshots((what, more) => this.#admit(what, more));
    this.journal = new Journal(parts.journalRules, owner);
    this.faults = new Faults(checks, admitting('faults'));
    for (const fault of parts.faults) this.faults.add(fault);
    this.clock = new Clock(parts.machineTime);
    if (parts.frozenAt) this.clock.freeze(parts.frozenAt);
    this.stubs = new Stubs('account', { check: checks.stub, admit: admitting('stubs') });
    this.latency = new Latency(parts.latency, parts.seed);
    this.decisions = new AccountDecisions(parts.decisions, this.store);
    this.#checks = checks;
    this.#sign = parts.sign;
    this.#shipped = parts.shipped;
    this.#plain = this.save();
    this.#opened = this.#open();
  }

  /** The public id, which clients may send in place of the token, also to the service. */
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

  /** The state that `reset` restores. */
  get opened(): SavedAccount {
    return this.#opened;
  }

  records<Name extends ResourceName>(name: Name): Records<Name> {
    const collections: Collections = this.store;
    return createRecordEditor(name, collections[name], this.#recordChecks, this.clock, {
      admit: (more) => this.#admit('records', more),
      noteChange: (id) =>
        this.journal.noteBarrier(
          `'${cut(id)}' in ${name} was added, edited or removed after it by the page, the control plane or the library`,
        ),
    });
  }

  /** The parts that differ from the state at opening. */
  get changed(): Changed {
    const { store } = this.#opened;
    const opened = new AccountStore(store.bases);
    opened.restore(store);
    return [
      ...(this.store.bases === store.bases ? [] : (['dataset'] as const)),
      ...(this.store.fingerprint() === opened.fingerprint() ? [] : (['records'] as const)),
      ...(Object.keys(scenarioOf(this.#saveParts(), this.#opened)) as Changed),
    ];
  }

  /** How much it keeps of what is limited, besides what it opened with. */
  countOf(what: Limited): number {
    return Math.max(0, COUNTED[what](this) - (this.#openedWith.get(what) ?? 0));
  }

  #admit(what: Limited, more: number): void {
    const { limits, countRecords } = this.#parts;
    limits.admit(what, more, what === 'records' ? countRecords : () => this.countOf(what));
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
    return this.store.fingerprint();
  }

  exportState(): AccountState {
    return exportState(this.store);
  }

  /** The dataset that a state is over, or a promise of it while its generator is loaded. */
  basesOf(state: AccountFixture): Bases | Promise<Bases> {
    const { extends: source } = state;
    return source === undefined ? this.store.bases : basesOf(this.#dataset, state, this.#shipped);
  }

  importState(state: AccountFixture): void {
    const bases = this.basesOf(state);
    if (bases instanceof Promise) throw notYetGenerated(state);
    const built = importedState(bases, state, this.#checks);
    this.#orAsBefore(() => this.#takeOver(built, openingOf(state)));
    this.journal.noteBarrier('records were imported after it');
  }

  /** The other parts stay if there is no scenario. */
  #takeOver(built: AccountStore, opening: Scenario | undefined): void {
    this.#admit('records', putInto(built) - putInto(this.store));
    this.store.restore(built.snapshot());
    if (!opening) return;
    this.#restore({ ...this.#plain, store: this.store.snapshot() });
    // What was saved includes what the server's options gave.
    if (opening.faults) this.faults.clear();
    if (opening.clock) this.clock.useRealTime();
    this.#apply(opening);
  }

  fixture(options: FixtureOptions = {}): AccountFixture {
    checkFixtureOptions(options);
    const scenario = scenarioOf(this.save(), this.#plain);
    // An empty one replaces that of the dataset.
    const isNeeded = Object.keys(scenario).length > 0 || this.#dataset.scenarios.has(OPENING);
    return saveFixture(this.store, isNeeded ? scenario : undefined, options, this.#sign);
  }

  snapshot(id?: string): string {
    this.#check('SnapshotRequest', id === undefined ? {} : { id });
    return this.snapshots.add(id, this.save(), this.#opened);
  }

  restore(id: string): void {
    this.#restore(id === OPENING ? this.#opened : this.snapshots.get(id));
    this.journal.noteBarrier(`the snapshot '${id}' was restored after it`);
  }

  scenarioNames(): string[] {
    return [...this.#dataset.scenarios.keys()];
  }

  scenario(name: string): void {
    const scenario = this.#dataset.scenarios.get(name);
    if (!scenario) throw unknownScenario(name, this.scenarioNames());
    this.#orAsBefore(() => {
      this.#restore(this.#plain);
      this.#apply(scenario);
    });
    this.journal.noteBarrier(`the scenario '${name}' was applied after it`);
  }

  rewind(requestId: number): number {
    const undos = this.journal.takeUndos(requestId);
    this.generation += 1;
    this.store.undo(undos);
    return undos.length;
  }

  reset(): void {
    this.#restore(this.#opened);
    this.journal.restart();
    this.owner.unmark();
  }

  setName(name: string): void {
    this.#check('AccountName', { name });
    this.owner.rename(name);
  }

  markTest(given: TestOutcome): void {
    this.#check('TestOutcome', given);
    this.owner.mark(given, this.journal.received);
    this.journal.noteStanding();
  }

  #check(schema: 'SnapshotRequest' | 'TestOutcome' | 'AccountName', value: object): void {
    const mistakes = this.#checks.value(schema, value);
    if (mistakes.length > 0) throw new InvalidInputError(mistakes);
  }

  /** Switches to another dataset and decisions, as if the account had been opened with them. */
  rebase(dataset: Dataset, decisions: DecisionState): void {
    this.reset();
    this.snapshots.clear();
    this.#plain = { ...this.#plain, decisions, store: new AccountStore(dataset).snapshot() };
    this.#restore(this.#plain);
    this.#dataset = dataset;
    this.#opened = this.#open();
    this.reloadedAt = new Date();
  }

  /** Drops all state; from now on, reading or writing its records throws. */
  close(): void {
    this.generation += 1;
    this.journal.end();
    this.snapshots.clear();
    for (const name of KEPT_PARTS) this[name].end();
    this.store.end();
  }

  save(): SavedAccount {
    return { store: this.store.snapshot(), ...this.#saveParts() };
  }

  #saveParts(): Omit<SavedAccount, 'store'> {
    return {
      faults: this.faults.snapshot(),
      clock: this.clock.snapshot(),
      stubs: this.stubs.snapshot(),
      latency: this.latency.snapshot(),
      decisions: this.decisions.snapshot(),
    };
  }

  /** Applies the opening scenario, if any, and returns the state that a reset restores. */
  #open(): SavedAccount {
    const name = [...this.#names, OPENING].find((one) => this.#dataset.scenarios.has(one));
    if (name !== undefined) this.scenario(name);
    this.#openedWith = new Map(LIMITED.map((what) => [what, COUNTED[what](this)]));
    return name === undefined ? this.#plain : this.save();
  }

  #apply(scenario: Scenario): void {
    const { faults = [], stubs = [], latency, clock, decisions = {} } = scenario;
    const records = RESOURCE_NAMES.map((one) => scenario[one]?.length ?? 0);
    this.#admit(
      'records',
      records.reduce((sum, length) => sum + length),
    );
    this.store.putAll(scenario);
    for (const fault of faults) this.faults.add(fault);
    for (const stub of stubs) this.stubs.add(stub);
    if (latency !== undefined) this.latency.set(latency);
    if (clock) this.clock.set(clock);
    this.decisions.change(decisions);
  }

  /** Throws what `act` throws, and then leaves the account as it was. */
  #orAsBefore(act: () => void): void {
    const before = this.save();
    try {
      act();
    } catch (error) {
      this.#restore(before);
      throw error;
    }
  }

  #restore(saved: SavedAccount): void {
    this.generation += 1;
    this.store.restore(saved.store);
    for (const name of KEPT_PARTS) restorePart(this, name, saved);
  }
}

function notYetGenerated({ extends: received }: AccountFixture): InvalidInputError {
  const expected = 'a dataset whose records need not be generated first';
  const fix =
    'Start the mock with it (--dataset, `dataset`), bind a token to it with `accounts`, or send this over HTTP, which can wait.';
  return new InvalidInputError([{ path: ['extends'], expected, received, fix }]);
}

/** How many records were changed otherwise than by deletions of the service. */
function putInto({ changeCount, deletions }: AccountStore): number {
  return changeCount - deletions;
}

const COUNTED: Readonly<Record<Limited, (account: Account) => number>> = {
  records: ({ store, snapshots }) => putInto(store) + snapshots.records,
  faults: ({ faults }) => faults.live,
  stubs: ({ stubs }) => stubs.added,
  snapshots: ({ snapshots }) => snapshots.count,
};

const LIMITED = Object.keys(COUNTED) as readonly Limited[];

function restorePart<Name extends keyof KeptParts>(
  parts: KeptParts,
  name: Name,
  saved: SavedAccount,
): void {
  parts[name].restore(saved[name]);
}
