import {
  DEFAULT_DECISIONS,
  type DecisionId,
  type Decisions,
  LEDGER,
  LEDGER_ROWS,
  type LedgerRow,
} from '../../core/decisions/ledger.js';
import type { OpenApiDocument } from '../../core/openapi/route-table.js';
import { hexHash } from '../../core/store/hash.js';
import { type Aspect, type OperationAspects, operationsIn } from './aspects.js';
import {
  type Call,
  COVERAGE_VERSION,
  type Coverage,
  type CoverageRow,
  nameOf,
  OF_DECISIONS,
} from './coverage.js';

/** Counts what calls touch as they end, because journals drop old entries. */
export interface CoverageCounter {
  /** Counts a call in the total, and in the counts of its account if it reached one. */
  count(call: Call, own?: Counts): void;
  /** Counts, in the total only, a decision that was applied before the account was known. */
  countDecision(id: DecisionId, inForce: Decisions): void;
  /** The counts of an account, or the total, and what is reachable under the decisions. */
  report(inForce: Decisions, own?: Counts): Coverage;
}

/**
 * Creates a counter with rows for the document, the ledger and the kinds of fault. Calls `onReport`
 * with each report of the total, and with the number of calls, including refused ones.
 */
export function createCoverage(
  document: OpenApiDocument,
  faultKinds: readonly string[],
  onReport?: (coverage: Coverage, calls: number) => void,
): CoverageCounter {
  const all = new Counts();
  let calls = 0;
  const decisionRows = new WeakMap<Decisions, ReadonlyMap<DecisionId, number>>();
  let built: BuiltRows | undefined;

  function rows(): BuiltRows {
    built ??= buildRows(document, faultKinds);
    return built;
  }

  function decisionRowsOf(inForce: Decisions): ReadonlyMap<DecisionId, number> {
    const known = decisionRows.get(inForce) ?? rowsInForce(inForce, rows());
    decisionRows.set(inForce, known);
    return known;
  }

  return {
    count(call, own = all) {
      calls += 1;
      const add = (row: number) => {
        all.add(row);
        if (own !== all) own.add(row);
      };
      own.calls += 1;
      const operation = rows().operations.get(call.operationId ?? '');
      if (operation) countOperation(call, operation, own, add);
      const { inForce, applied } = call;
      if (inForce === undefined) return;
      const numbers = decisionRowsOf(inForce);
      for (const id of applied) {
        if (id === 'rate-limit' && isBelowEveryLimit(own, inForce)) continue;
        if (!operation || operation.restsOn(id, call)) add(numbers.get(id) ?? 0);
      }
    },
    countDecision: (id, inForce) => all.add(decisionRowsOf(inForce).get(id) ?? 0),
    report(inForce, own = all) {
      const { listed, fingerprint } = rows();
      const coverage = {
        version: COVERAGE_VERSION,
        document: fingerprint,
        rows: listed.map((row) => written(row, own, row.isReachable?.(inForce) ?? true)),
      };
      if (own === all) onReport?.(coverage, calls);
      return coverage;
    },
  };
}

/** A row, listed even if it was not touched, with the number under which it is counted. */
interface ListedRow extends Pick<CoverageRow, 'of' | 'row'> {
  readonly number: number;
  readonly isReachable?: Aspect['isReachable'] | undefined;
  /** For a fault: the number under which requests that were sent again are counted. */
  readonly triedAgain?: number;
}

interface CountedOperation extends Pick<OperationAspects, 'restsOn'> {
  readonly called: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly aspects: readonly { readonly row: number; readonly isIn: Aspect['isIn'] }[];
  readonly faults: ReadonlyMap<string, { readonly number: number; readonly triedAgain: number }>;
}

interface BuiltRows {
  readonly listed: readonly ListedRow[];
  /** The number of each row by its name. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly operations: ReadonlyMap<string, CountedOperation>;
  readonly fingerprint: string;
}

function buildRows(document: OpenApiDocument, faultKinds: readonly string[]): BuiltRows {
  const listed: ListedRow[] = [];
  let next = 0;
  const number = () => next++;
  const list = <Row extends Omit<ListedRow, 'number'>>(row: Row) => {
    const numbered = { ...row, number: number() };
    listed.push(numbered);
    return numbered;
  };
  const operations = operationsIn(document).map(({ operationId: of, restsOn, ...one }) => {
    const called = list({ of, row: 'called' }).number;
    const statuses = one.statuses.map(
      ({ status, row, isReachable }) => [status, list({ of, row, isReachable }).number] as const,
    );
    const aspects = one.aspects.map(({ row, isIn, isReachable }) => ({
      row: list({ of, row, isReachable }).number,
      isIn,
    }));
    const faults = faultKinds.map(
      (kind) => [kind, list({ of, row: `fault ${kind}`, triedAgain: number() })] as const,
    );
    const counted: CountedOperation = {
      ...{ called, restsOn, aspects },
      ...{ statuses: new Map(statuses), faults: new Map(faults) },
    };
    return [of, counted] as const;
  });
  for (const row of rowsOfDecisions()) list(row);
  return {
    listed,
    numbers: new Map(listed.map((row) => [nameOf(row), row.number])),
    operations: new Map(operations),
    fingerprint: hexHash(16, JSON.stringify(listed.map(nameOf))),
  };
}

function countOperation(
  call: Call,
  { called, statuses, aspects, faults }: CountedOperation,
  own: Counts,
  add: (row: number) => void,
): void {
  const triedAgain = own.takeFaulted(call);
  if (triedAgain !== undefined) add(triedAgain);
  add(called);
  const status = statuses.get(call.status ?? 0);
  if (status !== undefined) add(status);
  for (const { row, isIn } of aspects) if (isIn(call)) add(row);
  const fault = call.fault === undefined ? undefined : faults.get(call.fault);
  if (!fault) return;
  add(fault.number);
  own.addFaulted(fault.triedAgain, call);
}

function rowsOfDecisions(): readonly Omit<ListedRow, 'number'>[] {
  return LEDGER_ROWS.flatMap(([id, { values }]) =>
    Object.keys(values).map((value) => ({
      of: OF_DECISIONS,
      row: `${id}=${value}`,
      isReachable: (inForce: Decisions) => listedValue(id, inForce) === value,
    })),
  );
}

/** The value of a decision; an unlisted value counts as the listed example of its form. */
function listedValue(id: DecisionId, inForce: Decisions): string {
  const { values }: LedgerRow = LEDGER[id];
  const value = String(inForce[id]);
  return Object.hasOwn(values, value) ? value : (Object.keys(values).at(-1) ?? value);
}

function rowsInForce(inForce: Decisions, { numbers }: BuiltRows): ReadonlyMap<DecisionId, number> {
  return new Map(
    LEDGER_ROWS.map(([id]) => {
      const row = `${id}=${listedValue(id, inForce)}`;
      return [id, numbers.get(nameOf({ of: OF_DECISIONS, row })) ?? 0];
    }),
  );
}

function written(listed: ListedRow, counts: Counts, isReachable: boolean): CoverageRow {
  const { of, row, number, triedAgain } = listed;
  const count = counts.of(number);
  const again = triedAgain === undefined ? 0 : counts.of(triedAgain);
  return {
    of,
    row,
    count,
    isReachable: isReachable || count > 0,
    ...(triedAgain !== undefined && { triedAgain: again, noFurther: count - again }),
  };
}

/** How many calls the ledger's example of a rate limit allows. */
const MANY_CALLS = 100;

/** True if the ledger's example of a rate limit would not have changed the response. */
function isBelowEveryLimit(own: Counts, inForce: Decisions): boolean {
  return inForce['rate-limit'] === DEFAULT_DECISIONS['rate-limit'] && own.calls <= MANY_CALLS;
}

/** A request that met a fault, kept until the same request comes again. */
interface Faulted {
  /** The number under which to count it if it comes again. */
  readonly row: number;
  readonly request: string;
  /** A hash of the body; undefined if none was read, as when the fault fired earlier. */
  readonly body: string | undefined;
}

/** If there are more, the earliest counts as not sent again. */
const MOST_FAULTED = 64;

/** How often each row was touched, by the number of the row. */
export class Counts {
  readonly #counts = new Map<number, number>();
  readonly #faulted: Faulted[] = [];
  calls = 0;

  of(row: number): number {
    return this.#counts.get(row) ?? 0;
  }

  add(row: number): void {
    this.#counts.set(row, this.of(row) + 1);
  }

  /** Returns the row to count if the same request met a fault before, and forgets that request. */
  takeFaulted(call: Call): number | undefined {
    if (this.#faulted.length === 0) return undefined;
    const { request, body } = requestOf(call);
    const nth = this.#faulted.findIndex(
      (one) =>
        one.request === request &&
        (one.body === undefined || body === undefined || one.body === body),
    );
    return nth < 0 ? undefined : this.#faulted.splice(nth, 1)[0]?.row;
  }

  addFaulted(row: number, call: Call): void {
    this.#faulted.push({ row, ...requestOf(call) });
    if (this.#faulted.length > MOST_FAULTED) this.#faulted.shift();
  }

  clear(): void {
    this.#counts.clear();
    this.#faulted.length = 0;
    this.calls = 0;
  }
}

function requestOf({ method, target, body }: Call): Omit<Faulted, 'row'> {
  const text = body === undefined ? undefined : hexHash(16, JSON.stringify(body));
  return { request: `${method} ${target}`, body: text };
}
