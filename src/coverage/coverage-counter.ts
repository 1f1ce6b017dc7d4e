import {
  DEFAULT_DECISIONS,
  type DecisionId,
  type Decisions,
  LEDGER,
  type LedgerRow,
} from '../decisions/ledger.js';
import type { OpenApiDocument } from '../openapi/route-table.js';
import { hexHash } from '../store/hash.js';
import { type Aspect, type OperationAspects, operationsIn } from './aspects.js';
import { type Call, Counts } from './counts.js';
import {
  COVERAGE_VERSION,
  type Coverage,
  type CoverageRow,
  nameOf,
  OF_DECISIONS,
} from './coverage.js';

/** Counts what calls touch as they end, because journals forget. */
export interface CoverageCounter {
  /** Counts a call in all, and in the counts of its account if it reached one. */
  count(call: Call, own?: Counts): void;
  /** Counts that a token without an account was treated as a decision says. */
  countDecision(id: DecisionId, inForce: Decisions): void;
  /** What was counted of an account, or in all, with what can be reached under the decisions. */
  report(inForce: Decisions, own?: Counts): Coverage;
}

/**
 * Creates a counter of what the document, the ledger and the kinds of fault have. Calls `onReport` with
 * each report of all that was counted.
 */
export function createCoverage(
  document: OpenApiDocument,
  faultKinds: readonly string[],
  onReport?: (coverage: Coverage) => void,
): CoverageCounter {
  const all = new Counts();
  const inForceRows = new WeakMap<Decisions, Readonly<Record<DecisionId, string>>>();
  let operations: ReadonlyMap<string, CountedOperation> | undefined;
  let rows: readonly ListedRow[] | undefined;

  function operationOf(id: string | undefined): CountedOperation | undefined {
    operations ??= new Map(
      operationsIn(document).map((one) => [one.operationId, countedOperation(one)]),
    );
    return id === undefined ? undefined : operations.get(id);
  }

  function decisionRow(id: DecisionId, inForce: Decisions): string {
    const known = inForceRows.get(inForce) ?? rowsInForce(inForce);
    inForceRows.set(inForce, known);
    return known[id];
  }

  return {
    count(call, own = all) {
      const add = (row: string) => {
        all.add(row);
        if (own !== all) own.add(row);
      };
      own.begin();
      const operation = operationOf(call.operationId);
      if (operation) countOperation(call, operation, own, add);
      const { inForce } = call;
      if (inForce === undefined) return;
      for (const id of call.applied) {
        if (id === 'rate-limit' && isBelowEveryLimit(own, inForce)) continue;
        if (operation?.restsOn(id, call) ?? true) add(decisionRow(id, inForce));
      }
    },
    countDecision: (id, inForce) => all.add(decisionRow(id, inForce)),
    report(inForce, own = all) {
      rows ??= rowsOf(document, faultKinds);
      const coverage = {
        version: COVERAGE_VERSION,
        document: hexHash(16, JSON.stringify(rows.map(nameOf))),
        rows: rows.map((row) => written(row, own, row.isReachable?.(inForce) ?? true)),
      };
      if (own === all) onReport?.(coverage);
      return coverage;
    },
  };
}

/** An operation with the names of its rows: they are written once, not for every call. */
interface CountedOperation extends Pick<OperationAspects, 'restsOn'> {
  readonly aspects: readonly { readonly row: string; readonly isIn: Aspect['isIn'] }[];
  readonly operationId: string;
}

function countedOperation({ operationId: of, ...one }: OperationAspects): CountedOperation {
  return {
    operationId: of,
    restsOn: one.restsOn,
    aspects: one.aspects.map(({ row, isIn }) => ({ row: nameOf({ of, row }), isIn })),
  };
}

function countOperation(
  call: Call,
  { operationId: of, aspects }: CountedOperation,
  own: Counts,
  add: (row: string) => void,
): void {
  const failed = own.takeFaulted(call);
  if (failed !== undefined) add(`${failed}${TRIED_AGAIN}`);
  for (const { row, isIn } of aspects) if (isIn(call)) add(row);
  if (call.fault === undefined) return;
  const row = nameOf({ of, row: faultRow(call.fault) });
  add(row);
  own.addFaulted(row, call);
}

/** A row that is listed whether or not it was touched. */
interface ListedRow extends Pick<CoverageRow, 'of' | 'row'> {
  readonly isReachable?: Aspect['isReachable'] | undefined;
  /** True if a client may send the same request again. */
  readonly isFault?: boolean;
}

function rowsOf(document: OpenApiDocument, faultKinds: readonly string[]): readonly ListedRow[] {
  const ofOperations = operationsIn(document).flatMap(({ operationId: of, aspects }) => [
    ...aspects.map(({ row, isReachable }) => ({ of, row, isReachable })),
    ...faultKinds.map((kind) => ({ of, row: faultRow(kind), isFault: true })),
  ]);
  return [...ofOperations, ...decisionRows()];
}

/** A row for each value of each decision. */
function decisionRows(): readonly ListedRow[] {
  return LEDGER_ROWS.flatMap(([id, { values }]) =>
    Object.keys(values).map((value) => ({
      of: OF_DECISIONS,
      row: `${id}=${value}`,
      isReachable: (inForce: Decisions) => listedValue(id, inForce) === value,
    })),
  );
}

const LEDGER_ROWS = Object.entries<LedgerRow>(LEDGER) as [DecisionId, LedgerRow][];

/** The value of a decision; one of the free form counts as the listed one that shows the form. */
function listedValue(id: DecisionId, inForce: Decisions): string {
  const { values }: LedgerRow = LEDGER[id];
  const value = String(inForce[id]);
  return Object.hasOwn(values, value) ? value : (Object.keys(values).at(-1) ?? value);
}

function rowsInForce(inForce: Decisions): Readonly<Record<DecisionId, string>> {
  const rows = LEDGER_ROWS.map(([id]) => [
    id,
    nameOf({ of: OF_DECISIONS, row: `${id}=${listedValue(id, inForce)}` }),
  ]);
  return Object.fromEntries(rows) as Record<DecisionId, string>;
}

function written(
  { of, row, isFault }: ListedRow,
  counts: Counts,
  isReachable: boolean,
): CoverageRow {
  const name = nameOf({ of, row });
  const count = counts.of(name);
  const triedAgain = counts.of(name + TRIED_AGAIN);
  return {
    of,
    row,
    count,
    isReachable: isReachable || count > 0,
    ...(isFault && { triedAgain, noFurther: count - triedAgain }),
  };
}

/** Behind the name of a fault: that the client sent the same request again. */
const TRIED_AGAIN = ', tried again';

function faultRow(kind: string): string {
  return `fault ${kind}`;
}

/** As many calls as the example of a limit in the ledger allows: fewer would get through any. */
const MANY_CALLS = 100;

/** Whether the response would be the same under the limit that the ledger has as an example. */
function isBelowEveryLimit(own: Counts, inForce: Decisions): boolean {
  return inForce['rate-limit'] === DEFAULT_DECISIONS['rate-limit'] && own.calls <= MANY_CALLS;
}
