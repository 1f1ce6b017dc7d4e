import type { DecisionId } from '#spec';
import { cut } from '../../../core/values/received-value.js';
import { describeRequest } from '../seen/evidence.js';
import type { Hypothesis } from './model.js';
import { type Cell, type Row, type Table, valuesOf } from './table.js';
import { type Seen, UNCLEAR, type View } from './views.js';

/** The model's response; undefined if nothing can be predicted. */
export type Expected = Pick<View, 'kind' | 'status' | 'parts'> | undefined;

/** Samples, and what the model responds to them under a hypothesis about some decisions. */
export interface Question {
  /** The decisions that influence the samples: the part of a success that each changes, or all. */
  readonly parts: Readonly<Partial<Record<DecisionId, string | readonly string[]>>>;
  readonly samples: readonly Seen[];
  readonly predict: (hypothesis: Hypothesis) => Promise<readonly Expected[]>;
  /** What kind of request it is, of those that a decision takes. */
  readonly kindOf?: (seen: Seen) => string;
  /** True if a response depends on what the requests before it did. */
  readonly isInSequence?: boolean;
  readonly isFlaky: (seen: Seen) => boolean;
  readonly isRefusedAs: IsRefusedAs;
}

/** True if a refusal of the service may mean what this status of the mock does. */
export type IsRefusedAs = (status: number, seen: Seen) => boolean;

const WEIGHT: Readonly<Record<Cell, number>> = { match: 0, neutral: 0, less: 1, miss: 2 };
const MAX_PART_LENGTH = 40;

/** How evidence shows a part; a list of ids shows nothing to a reader. */
const SHOWN: Readonly<Record<string, (said: string) => string>> = {
  total: (said) => `total ${said}`,
  hasMore: (said) => `hasMore ${said}`,
  next: (said) => `nextCursor ${said}`,
  stamp: (said) =>
    said === 'both' ? 'updatedAt differs' : `updatedAt is ${said === 'same' ? 'deletedAt' : said}`,
};

type Tried = Awaited<ReturnType<typeof tryAll>>;

/** Asks the model under each value of each decision, with the others as they explain most. */
export async function ask(question: Question): Promise<readonly (readonly [DecisionId, Table])[]> {
  const tried = await tryAll(question);
  const ids = Object.keys(question.parts) as DecisionId[];
  return Promise.all(ids.map(async (id) => [id, await tableOf(id, question, tried)] as const));
}

/** Tries each combination of values of those decisions that share parts, the best first. */
async function tryAll({ parts, samples, predict, isRefusedAs, isInSequence }: Question) {
  const shared = (Object.keys(parts) as DecisionId[]).filter((id) => Array.isArray(parts[id]));
  const whole = shared.flatMap((id) => parts[id] ?? []);
  const hypotheses = shared.reduce<readonly Hypothesis[]>(
    (all, id) => all.flatMap((one) => valuesOf(id).map((value) => ({ ...one, [id]: value }))),
    [{}],
  );
  const trials = await Promise.all(
    hypotheses.map(async (hypothesis) => {
      const expected = await predict(hypothesis);
      const cells = samples.map((seen, at) => cellOf(expected[at], seen, whole, isRefusedAs));
      const weight = cells.reduce((sum, one) => sum + WEIGHT[one], 0);
      return { hypothesis, expected, cells, weight };
    }),
  );
  trials.sort((one, other) => one.weight - other.weight);
  const [{ hypothesis: best } = { hypothesis: {} }] = trials;
  /** Whether a value of a decision changes this response, while the others stay at their best. */
  const isChanged = (id: DecisionId, at: number) =>
    differ(
      trials
        .filter((one) => isOnlyChange(one.hypothesis, best, id))
        .map(({ expected }) => expected[at]),
      whole,
    );
  const influential = shared.filter((id) => samples.some((_, at) => isChanged(id, at)));
  // Behind a response that nobody explains, nobody knows what the service has done.
  const unknown = samples.findIndex(
    ({ view }, at) =>
      isInSequence &&
      (!['ok', 'refused'].includes(view.kind) || trials.every(({ cells }) => isAgainst(cells[at]))),
  );
  const known = unknown < 0 ? samples.length : unknown;
  return { trials, best, whole, influential, isChanged, known };
}

function isOnlyChange(one: Hypothesis, best: Hypothesis, id: DecisionId): boolean {
  return Object.entries(one).every(
    ([other, value]) => other === id || value === best[other as DecisionId],
  );
}

async function tableOf(
  id: DecisionId,
  { parts: { [id]: own = '' }, ...question }: Question,
  { trials, best, whole, influential, isChanged, known }: Tried,
): Promise<Table> {
  const { samples, isFlaky, isRefusedAs, kindOf = () => 'any' } = question;
  const isShared = typeof own !== 'string';
  const parts = [own].flat();
  const values = valuesOf(id);
  const predicted = await Promise.all(
    values.map(async (value) =>
      isShared
        ? (trials.find(({ hypothesis }) => hypothesis[id] === value)?.expected ?? [])
        : question.predict({ ...best, [id]: value }),
    ),
  );
  const isAlone = influential.every((other) => other === id);
  const rows = samples.map((seen, at): Row & { readonly seen: Seen } => {
    const expected = predicted.map((one) => one[at]);
    const compare = (some: readonly string[]) =>
      expected.map((one) => cellOf(one, seen, some, isRefusedAs));
    const cells = compare(parts);
    const isTelling = differ(expected, parts);
    const { kind, status, parts: said } = seen.view;
    const shown = isShared ? undefined : said[own];
    const isUnexplained =
      !isShared && kind === 'ok' && whole.length > 0 && compare(whole).every(isAgainst);
    const reasons = [
      isUnexplained && 'got a response that no value of any decision predicts',
      isFlaky(seen) && 'does not always get the same response',
      kind !== 'ok' && (!isShared || cells.includes('neutral')) && `got ${status}`,
      cells.includes('neutral') && 'does not tell its values apart',
    ];
    const reason = reasons.find(Boolean);
    return {
      ...{
        seen,
        cells,
        isTelling,
        isUnexplained,
        kind: kindOf(seen),
      },
      // The records themselves may not all be known.
      isSure: isShared
        ? at <= known && (isAlone || (isChanged(id, at) && cells.includes('match')))
        : own !== 'records' || cells.includes('match'),
      ...(reason && { blocks: `${describeRequest(seen.request)} ${reason}` }),
      told: shown && SHOWN[String(own)]?.(cut(shown, MAX_PART_LENGTH)),
    };
  });
  // No other decision influences these samples: what no value explains counts as well.
  const isKept = ({ isTelling, isUnexplained, cells, seen }: Row & { readonly seen: Seen }) =>
    isTelling ||
    (isUnexplained && !isShared && seen.view.parts[own] !== undefined) ||
    (isShared ? !cells.includes('match') : cells.every(isMiss) || seen.view.kind === 'odd');
  return { rows: rows.filter(isKept) };
}

const isMiss = (cell: Cell) => cell === 'miss';
const isAgainst = (cell?: Cell) => cell === 'miss' || cell === 'less';

/** Compares a response with a prediction. */
function cellOf(
  expected: Expected,
  seen: Seen,
  parts: readonly string[],
  isRefusedAs: IsRefusedAs,
): Cell {
  const { kind, parts: said } = seen.view;
  if (expected === undefined || (kind !== 'ok' && kind !== 'refused')) return 'neutral';
  if (expected.kind !== 'ok') {
    if (kind === 'ok') return 'miss';
    return isRefusedAs(expected.status, seen) ? 'match' : 'less';
  }
  if (kind === 'refused') return 'less';
  const common = parts.filter((part) => expected.parts[part] !== undefined);
  const isOther = common.some((part) => ![expected.parts[part], UNCLEAR].includes(said[part]));
  if (isOther) return 'miss';
  return common.some((part) => said[part] === UNCLEAR) ? 'neutral' : 'match';
}

function differ(expected: readonly Expected[], parts: readonly string[]): boolean {
  const shapes = expected.map((one) =>
    JSON.stringify(one?.kind === 'ok' ? parts.map((part) => one.parts[part]) : one?.status),
  );
  return new Set(shapes).size > 1;
}
