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
import { type Aspect, type OperationAspects, operationsIn, statusRow } from './aspects.js';
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
  const decisionRows = new WeakMap<Decisions, ReadonlyMap<DecisionId, string>>();
  let counted: ReadonlyMap<string, CountedOperation> | undefined;
  let listed: readonly ListedRow[] | undefined;

  function operations(): ReadonlyMap<string, CountedOperation> {
    counted ??= new Map(operationsIn(document).map((one) => [one.operationId, countedOf(one)]));
    return counted;
  }

  function decisionRowsOf(inForce: Decisions): ReadonlyMap<DecisionId, string> {
    const known = decisionRows.get(inForce) ?? rowsInForce(inForce);
    decisionRows.set(inForce, known);
    return known;
  }

  return {
    count(call, own = all) {
      calls += 1;
      const add = (row: string) => {
        all.add(row);
        if (own !== all) own.add(row);
      };
      own.calls += 1;
      const operation = operations().get(call.operationId ?? '');
      if (operation) countOperation(call, operation, own, add);
      const { inForce, applied } = call;
      if (inForce === undefined) return;
      const names = decisionRowsOf(inForce);
      for (const id of applied) {
        if (id === 'rate-limit' && isBelowEveryLimit(own, inForce)) continue;
        if (!operation || operation.restsOn(id, call)) add(names.get(id) ?? id);
      }
    },
    countDecision: (id, inForce) => all.add(decisionRowsOf(inForce).get(id) ?? id),
    report(inForce, own = all) {
      listed ??= rowsOf(operations().values(), faultKinds);
      const coverage = {
        version: COVERAGE_VERSION,
        document: hexHash(16, JSON.stringify(listed.map(nameOf))),
        rows: listed.map((row) => written(row, own, row.isReachable?.(inForce) ?? true)),
      };
      if (own === all) onReport?.(coverage, calls);
      return coverage;
    },
  };
}

/** A row, listed even if it was not touched. */
interface ListedRow extends Pick<CoverageRow, 'of' | 'row'> {
  readonly isReachable?: Aspect['isReachable'] | undefined;
  readonly isFault?: boolean;
}

/** An operation with the names of its rows, by which they are counted. */
interface CountedOperation extends OperationAspects {
  readonly called: string;
  readonly aspects: readonly (Aspect & { readonly name: string })[];
  /** Of the statuses that calls have got so far, documented or not. */
  readonly statusNames: Map<number, string>;
}

function countedOf(operation: OperationAspects): CountedOperation {
  const { operationId: of, aspects } = operation;
  const named = aspects.map((aspect) => ({ ...aspect, name: nameOf({ of, row: aspect.row }) }));
  const called = nameOf({ of, row: CALLED });
  return { ...operation, called, aspects: named, statusNames: new Map() };
}

const CALLED = 'called';

function faultRow(kind: string): string {
  return `fault ${kind}`;
}

/** Under which requests that met a fault are counted when they are sent again. */
function triedAgain(fault: string): string {
  return `${fault}, tried again`;
}

function rowsOf(operations: Iterable<OperationAspects>, faultKinds: readonly string[]) {
  const ofOperations = [...operations].flatMap(({ operationId: of, statuses, aspects }) => [
    { of, row: CALLED },
    ...[...statuses(), ...aspects].map(({ row, isReachable }) => ({ of, row, isReachable })),
    ...faultKinds.map((kind) => ({ of, row: faultRow(kind), isFault: true })),
  ]);
  const ofDecisions = LEDGER_ROWS.flatMap(([id, { values }]) =>
    Object.keys(values).map((value) => ({
      of: OF_DECISIONS,
      row: `${id}=${value}`,
      isReachable: (inForce: Decisions) => listedValue(id, inForce) === value,
    })),
  );
  return [...ofOperations, ...ofDecisions];
}

function countOperation(
  call: Call,
  { operationId: of, called, statusNames, aspects }: CountedOperation,
  own: Counts,
  add: (row: string) => void,
): void {
  const again = own.takeFaulted(call);
  if (again !== undefined) add(again);
  add(called);
  if (call.status !== undefined) {
    const name = statusNames.get(call.status) ?? nameOf({ of, row: statusRow(call.status) });
    statusNames.set(call.status, name);
    add(name);
  }
  for (const { name, isIn } of aspects) if (isIn(call)) add(name);
  if (call.fault === undefined) return;
  const fault = nameOf({ of, row: faultRow(call.fault) });
  add(fault);
  own.addFaulted(triedAgain(fault), call);
}

/** The value of a decision; an unlisted value counts as the listed example of its form. */
function listedValue(id: DecisionId, inForce: Decisions): string {
  const { values }: LedgerRow = LEDGER[id];
  const value = String(inForce[id]);
  return Object.hasOwn(values, value) ? value : (Object.keys(values).at(-1) ?? value);
}

function rowsInForce(inForce: Decisions): ReadonlyMap<DecisionId, string> {
  const rowOf = (id: DecisionId) => `${id}=${listedValue(id, inForce)}`;
  return new Map(LEDGER_ROWS.map(([id]) => [id, nameOf({ of: OF_DECISIONS, row: rowOf(id) })]));
}

function written(listed: ListedRow, counts: Counts, isReachable: boolean): CoverageRow {
  const { of, row, isFault } = listed;
  const name = nameOf(listed);
  const count = counts.of(name);
  const again = counts.of(triedAgain(name));
  return {
    of,
    row,
    count,
    isReachable: isReachable || count > 0,
    ...(isFault && { triedAgain: again, noFurther: count - again }),
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
  /** The name under which to count it if it comes again. */
  readonly row: string;
  readonly request: string;
  /** A hash of the body; undefined if none was read, as when the fault fired earlier. */
  readonly body: string | undefined;
}

/** If there are more, the earliest counts as not sent again. */
const MAX_FAULTED = 64;

/** How often each row was touched, by the name of the row. */
export class Counts {
  readonly #counts = new Map<string, number>();
  readonly #faulted: Faulted[] = [];
  calls = 0;

  of(row: string): number {
    return this.#counts.get(row) ?? 0;
  }

  add(row: string): void {
    this.#counts.set(row, this.of(row) + 1);
  }

  /** Returns the row to count if the same request met a fault before, and forgets that request. */
  takeFaulted(call: Call): string | undefined {
    if (this.#faulted.length === 0) return undefined;
    const { request, body } = requestOf(call);
    const nth = this.#faulted.findIndex(
      (one) =>
        one.request === request &&
        (one.body === undefined || body === undefined || one.body === body),
    );
    return nth < 0 ? undefined : this.#faulted.splice(nth, 1)[0]?.row;
  }

  addFaulted(row: string, call: Call): void {
    this.#faulted.push({ row, ...requestOf(call) });
    if (this.#faulted.length > MAX_FAULTED) this.#faulted.shift();
  }

  clear(): void {
    this.#counts.clear();
    this.#faulted.length = 0;
    this.calls = 0;
  }
}

function requestOf({ method, target, bodyHash }: Call): Omit<Faulted, 'row'> {
  const body = bodyHash === undefined ? undefined : hexHash(16, bodyHash);
  return { request: `${method} ${target}`, body };
}
