import { type DecisionId, LEDGER } from '#spec';
import { describeSample } from '../seen/evidence.js';
import type { Sample } from '../seen/samples.js';
import type { DecisionVerdict } from '../settle-report.js';
import type { Seen } from './views.js';

/**
 * What a sample says of a value. `less`: refused in place of a success, or with another status, which
 * may have any cause; `neutral`: neither for nor against.
 */
export type Cell = 'match' | 'miss' | 'less' | 'neutral';

export type Value = string | number;

/** A sample, and what it says of each value of a decision. */
export interface Row {
  readonly seen: Sample & Partial<Pick<Seen, 'turn' | 'view'>>;
  /** By value. */
  readonly cells: readonly Cell[];
  /** Whether its values predict different responses: by default, whether the cells differ. */
  readonly isTelling?: boolean;
  /** True if no other decision may be to blame for what no value explains. */
  readonly isSure?: boolean;
  /** True if no value of any decision explains its other parts. */
  readonly isUnexplained?: boolean;
  /** Why it keeps the decision open, as a clause. */
  readonly blocks?: string | undefined;
  /** Which kind of request it is, of those that the decision takes. */
  readonly kind?: string;
  readonly told?: string | undefined;
}

/** The rows of a decision, and why they may settle nothing. */
export interface Table {
  /** The values that may explain them: by default, those of the ledger. */
  readonly values?: readonly Value[];
  readonly rows: readonly Row[];
  /** True if its rows compare a form alone: what has another form may be predicted otherwise. */
  readonly isOfForm?: boolean;
  /** How many kinds of requests it takes: 1 by default. */
  readonly needs?: number | undefined;
  /** Why nothing is concluded, as a sentence. */
  readonly open?: string | undefined;
  /** Why a value that explains all does not settle it, as a sentence. */
  readonly doubt?: ((value: Value) => string | false | undefined) | undefined;
  /** What is said if there are no rows. */
  readonly unseen?: string;
}

export type Tables = ReadonlyMap<DecisionId, Table>;

export type Found = Pick<DecisionVerdict, 'evidence' | 'reason' | 'value'> & {
  readonly verdict: DecisionVerdict['verdict'] | 'unseen';
  /** The responses that tell its values apart. */
  readonly samples?: readonly Sample[];
  /** What no value predicts, and keeps the decision open. */
  readonly unexplained?: readonly Row['seen'][];
};

export function valuesOf(id: DecisionId): readonly Value[] {
  const { values, default: usual } = LEDGER[id];
  return Object.keys(values).map((one) => (typeof usual === 'number' ? Number(one) : one));
}

const MAX_EVIDENCE = 5;
/**
 * Refusals have many causes, and must come twice, but not in a row; the right data have only one.
 * Counted each, they settle empty-parameter against a service that is busy for ever.
 */
const ENOUGH = 2;

function strengthAgainst(rows: readonly Row[], nth: number): number {
  const misses = rows.filter(({ cells }) => cells[nth] === 'miss').length;
  const refusals = rows.filter(({ cells }) => cells[nth] === 'less');
  return ENOUGH * misses + new Set(refusals.map(({ seen }) => seen.turn)).size;
}

/**
 * A decision is settled if all rows match one value, and enough of them speak against each other
 * value; no value is right if rows that only this decision can explain speak against each.
 */
export function conclude(id: DecisionId, table: Table): Found {
  const { values = valuesOf(id), isOfForm } = table;
  const { rows, needs = 1, open, doubt, unseen = 'No response tells its values apart.' } = table;
  const counting = rows.filter(({ blocks }) => blocks === undefined);
  const telling = counting.filter(isTelling);
  const unexplained = isOfForm ? [] : counting.filter(({ cells }) => cells.every(isAgainst));
  const left = values.filter((_, nth) => strengthAgainst(counting, nth) === 0);
  const [value = ''] = left;
  const kept = values.indexOf(value);
  const evidence = values.flatMap((one, nth) => {
    const row = counting.find(({ cells }) => isAgainst(cells[nth]));
    return row ? `not ${one}: ${describeSample(row.seen, row.told)}` : [];
  });
  const found = {
    evidence: evidence.slice(0, MAX_EVIDENCE),
    samples: telling.map(({ seen }) => seen),
    unexplained: [...unexplained, ...rows.filter(isElsewhere)].map(({ seen }) => seen),
  };
  const [block] = rows.flatMap(({ blocks }) => blocks ?? []);
  if (telling.length + unexplained.length === 0 && block === undefined) {
    return { ...found, verdict: 'unseen', reason: unseen };
  }
  const isDoubtful = block !== undefined || counting.some(isRefusedByAll);
  const isSure = values.every((_, nth) =>
    counting.some((row) => row.isSure && row.cells[nth] === 'miss'),
  );
  if (!open && left.length === 0 && !isDoubtful && isSure) {
    return { ...found, verdict: 'none', reason: 'No value describes what the service does.' };
  }
  const matching = telling.filter(({ cells }) => cells[kept] === 'match');
  const kinds = new Set(matching.map(({ kind = 'any' }) => kind));
  const reasons = [
    open,
    telling.length === 0 && block && `${block}.`,
    left.length === 0 && 'No value explains all responses, but they may have other causes.',
    block && `${explain(left)} the rest, but ${block}.`,
    left.length > 1 && `${explain(left)} the responses.`,
    unexplained.length > 0 && 'No value explains some of the responses.',
    values.some((one, nth) => one !== value && strengthAgainst(counting, nth) < ENOUGH) &&
      `${value} explains the responses, but too few contradict the other values.`,
    kinds.size < needs &&
      `${value} explains the responses, but not every kind of request that it affects was seen.`,
    doubt?.(value),
  ];
  const reason = reasons.find(Boolean);
  return reason
    ? { ...found, verdict: 'undecided', reason }
    : { ...found, verdict: 'settled', value };
}

const isAgainst = (cell: Cell | undefined) => cell === 'miss' || cell === 'less';
const isElsewhere = ({ isUnexplained }: Row) => isUnexplained === true;
const isRefusedByAll = ({ cells }: Row) => cells.every((cell) => cell === 'less');

const explain = (values: readonly Value[]) =>
  values.length === 1 ? `${values[0]} explains` : `${values.join(' and ')} explain`;

function isTelling({ cells, isTelling: told }: Row): boolean {
  return told ?? new Set(cells).size > 1;
}

/** The rows of several questions about a decision, as one table. */
export function joined(tables: readonly (readonly [DecisionId, Table])[]): Tables {
  const all = new Map<DecisionId, Table>();
  for (const [id, table] of tables) {
    const before = all.get(id);
    const rows = [...(before?.rows ?? []), ...table.rows];
    all.set(id, { ...before, ...table, rows, open: before?.open ?? table.open });
  }
  return all;
}
