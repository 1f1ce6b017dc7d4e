import type { OperationId } from '../../core/billing/operation.js';
import type { RecordChecks } from '../../core/datasets/fixture/schema-checks.js';
import { InvalidInputError } from '../../core/errors/invalid-input.js';
import { matchesTemplate } from '../../core/openapi/path-template.js';
import { deepFreeze } from '../../core/store/freeze.js';
import { Kept } from '../../core/store/kept.js';
import { count } from '../../core/values/plural.js';
import type { components } from '../../generated/control.js';
import { defaultPhaseOf, doesInWords, type FaultPhase } from './fault-kinds.js';

/**
 * A fault to inject. By default it fires once, on the next call to any operation; if `times` is
 * `'always'`, it fires until it is removed. Its kind determines which further members it has.
 *
 * @example
 * const lostResponse: FaultRequest = {
 *   operationId: 'deleteContract',
 *   kind: 'reset',
 *   phase: 'after',
 * };
 */
export type FaultRequest = components['schemas']['FaultOfKind'];

/**
 * A fault as the account lists it, with how often it has fired.
 *
 * @example
 * const fault: Fault = account.faults.add({ kind: 'status', status: 503, times: 2 });
 */
export type Fault = components['schemas']['Fault'];

/** A fault as the account keeps it. */
export type FiringFault = Readonly<Omit<Fault, 'explanation'>>;

/**
 * The faults of one account, for a test to add and remove.
 *
 * @example
 * account.faults.add({ operationId: 'listMeasurements', kind: 'delay', delayMs: 500, skip: 1 });
 * account.faults.clear();
 */
export interface FaultsControl {
  /** Adds a fault, which counts the matching requests from now on. */
  add(request: FaultRequest): Fault;
  /** The faults in the order in which they are tried. */
  list(): Fault[];
  /** Removes a fault and returns it; returns undefined if there is none with this id. */
  remove(id: number): Fault | undefined;
  /** Removes all faults; returns how many there were. */
  clear(): number;
}

/** The current window of the rate limit (section 8), by the account's clock. */
export interface RateWindow {
  readonly startedAtMs: number;
  readonly requests: number;
}

export interface FaultsState {
  readonly entries: readonly FiringFault[];
  readonly nextId: number;
  readonly window?: RateWindow;
}

const NONE: FaultsState = { entries: [], nextId: 1 };

/** How many faults that can fire no more an account keeps, for a test to read. */
const MOST_SPENT = 1_000;

/**
 * Faults fire by count: they skip the first `skip` matching requests, then fire on the next `times`
 * (or on all). Requests on which an earlier fault of the same phase fires do not count.
 */
export class Faults extends Kept<FaultsState> implements FaultsControl {
  readonly #checks: RecordChecks;
  readonly #admit: (more: number) => void;
  /** What to call when the faults change, for requests that wait for the removal of one. */
  readonly #followers = new Set<() => void>();

  /** `admit` throws if the account may not keep so many more. */
  constructor(checks: RecordChecks, admit: (more: number) => void = () => {}) {
    super(NONE);
    this.#checks = checks;
    this.#admit = admit;
  }

  /** How many can still fire. */
  get live(): number {
    return this.state.entries.filter(canFire).length;
  }

  add(request: FaultRequest): Fault {
    const { entries, nextId } = this.state;
    const given = withoutUndefined(request);
    const mistakes = this.#checks.value('FaultOfKind', given);
    if (mistakes.length > 0) throw new InvalidInputError(mistakes);
    this.#admit(1);
    const entry: FiringFault = deepFreeze({
      phase: defaultPhaseOf(given.kind),
      skip: 0,
      times: 1,
      ...given,
      ...('body' in given && { body: JSON.parse(JSON.stringify(given.body)) }),
      id: nextId,
      seen: 0,
      fired: 0,
    });
    const kept = withoutOldestSpent(entries);
    this.keep({ ...this.state, entries: [...kept, entry], nextId: nextId + 1 });
    return describe(entry);
  }

  list(): Fault[] {
    return this.state.entries.map(describe);
  }

  remove(id: number): Fault | undefined {
    const { entries } = this.state;
    const entry = entries.find((candidate) => candidate.id === id);
    this.keep({ ...this.state, entries: entries.filter((other) => other !== entry) });
    return entry && describe(entry);
  }

  clear(): number {
    const { length } = this.state.entries;
    this.keep({ ...this.state, entries: [] });
    return length;
  }

  /** Counts the call, and returns the first fault that matches it and is due. */
  take(phase: FaultPhase, call: FaultyCall): FiringFault | undefined {
    if (this.state.entries.length === 0) return undefined;
    let firing: FiringFault | undefined;
    const entries = this.state.entries.map((entry) => {
      const isMatch = entry.phase === phase && concerns(entry, call);
      if (!isMatch || firing || entry.fired === entry.times) return entry;
      const isDue = entry.seen >= entry.skip;
      const counted = { ...entry, seen: entry.seen + 1, fired: entry.fired + (isDue ? 1 : 0) };
      if (isDue) firing = counted;
      return counted;
    });
    this.keep({ ...this.state, entries });
    return firing;
  }

  /** Calls `act` once the fault is removed, by a reset too; returns a function that stops this. */
  onRemoval(id: number, act: () => void): () => void {
    const follow = () => {
      if (!this.state.entries.some((entry) => entry.id === id)) act();
    };
    this.#followers.add(follow);
    return () => this.#followers.delete(follow);
  }

  protected override keep(state: FaultsState): void {
    super.keep(state);
    for (const follow of this.#followers) follow();
  }

  get window(): RateWindow | undefined {
    return this.state.window;
  }

  set window(window: RateWindow) {
    this.keep({ ...this.state, window });
  }
}

const canFire = ({ fired, times }: FiringFault) => fired !== times;

function withoutOldestSpent(entries: readonly FiringFault[]): readonly FiringFault[] {
  let excess = entries.filter((entry) => !canFire(entry)).length - MOST_SPENT;
  return excess > 0 ? entries.filter((entry) => canFire(entry) || excess-- <= 0) : entries;
}

/** Returns anything but an object unchanged, for the check to refuse. */
function withoutUndefined(request: FaultRequest): FaultRequest {
  if (typeof request !== 'object' || request === null) return request;
  const members = Object.entries(request).filter(([, value]) => value !== undefined);
  // `fromEntries` loses the type, but the schema is checked next.
  return Object.fromEntries(members) as unknown as FaultRequest;
}

function describe(entry: FiringFault): Fault {
  const { operationId, path, phase, skip, times, fired } = entry;
  const [whose, before, after] =
    path === undefined
      ? [operationId ?? 'any operation', 'runs', 'has committed']
      : [`the call to ${path}`, 'is handled', 'was handled'];
  const when = phase === 'before' ? `before ${whose} ${before}` : `after ${whose} ${after}`;
  const passing = skip > 0 ? `, after skipping ${count(skip, 'request')}` : '';
  const often =
    times === 'always' ? `${count(fired, 'time')}, and stays active` : `${fired} of ${times} times`;
  const explanation = `${doesInWords(entry)} ${when}${passing}; it has fired ${often}.`;
  return { ...entry, explanation };
}

export interface FaultyCall {
  /** Path and query, still encoded. */
  readonly target: string;
  /** Undefined if no operation handles the call. */
  readonly operationId: OperationId | undefined;
}

/** A fault without a path applies to operations only. */
function concerns({ operationId, path }: FiringFault, call: FaultyCall): boolean {
  if (path !== undefined) return matchesTemplate(path, call.target.split('?')[0] ?? '');
  return call.operationId !== undefined && (operationId ?? call.operationId) === call.operationId;
}
