import { type DecisionId, LEDGER } from '#spec';
import { cut } from '../../core/values/received-value.js';
import type { Hypothesis } from './model.js';
import { describeRequest, describeSample } from './seen/evidence.js';
import type { Sample } from './seen/samples.js';
import type { DecisionVerdict } from './settle-report.js';
import { type Seen, UNCLEAR, type View } from './views.js';

/** What a service would respond under a hypothesis; undefined if nothing can be predicted. */
export type Expected =
  /** Refused, by default with this status. */
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'ok'; readonly parts: Readonly<Record<string, string>> }
  /** What it responds to another, plain request: these are its responses just before and after. */
  | Alike
  | undefined;

interface Alike {
  readonly kind: 'alike';
  readonly prints: readonly string[];
  /** True if the service shows the difference that the mock would. */
  readonly isTelling: boolean;
  /** True unless records came or went: then another response proves nothing. */
  readonly isSteady: boolean;
}

/** Samples, and what each hypothesis about some decisions predicts for them. */
export interface Question {
  /** The decisions that influence the samples, searched together. */
  readonly ids: readonly DecisionId[];
  /** Those that change nothing but one part of a success. */
  readonly owned?: Readonly<Partial<Record<DecisionId, string>>>;
  /** The parts of a success that count. */
  readonly parts: readonly string[];
  readonly samples: readonly Seen[];
  readonly predict: (hypothesis: Hypothesis) => Promise<readonly Expected[]>;
  /** What a sample that matches a value asks about it; undefined if it proves nothing. */
  readonly facetOf?: (id: DecisionId, seen: Seen, value: Value) => string | undefined;
  /** How many kinds must match to settle a decision: 1 by default. */
  readonly needs?: Readonly<Partial<Record<DecisionId, number>>>;
  /** True if no other decision influences the samples: then each of them must be explained. */
  readonly isWhole?: boolean;
  /** True if a response depends on what the requests before it did. */
  readonly isInSequence?: boolean;
  /** True if a request may mean another thing to the service than to the model. */
  readonly isAmbiguous?: (seen: Seen) => boolean;
  /** Why these samples settle nothing, as a sentence. */
  readonly open?: string | undefined;
  /** True if the same request got another response. */
  readonly isFlaky: (seen: Seen) => boolean;
  /** True if a refusal of the service may mean what this status of the mock does. */
  readonly isRefusedAs: (status: number, seen: Seen) => boolean;
}

export type Found = Pick<DecisionVerdict, 'evidence' | 'reason' | 'value'> & {
  readonly verdict: DecisionVerdict['verdict'] | 'unseen';
  /** The responses that tell its values apart. */
  readonly samples?: readonly Sample[];
  /** True if it is open only because several values explain all responses. */
  readonly isBetween?: boolean;
  /** What no value of any decision predicts, and keeps this decision open. */
  readonly unexplained?: readonly Seen[];
};

export type Value = string | number;

function valuesOf(id: DecisionId): readonly Value[] {
  const { values, default: usual } = LEDGER[id];
  return Object.keys(values).map((one) => (typeof usual === 'number' ? Number(one) : one));
}

/** Finds out which value of each decision explains the samples. */
export async function judge(question: Question): Promise<ReadonlyMap<DecisionId, Found>> {
  const { ids, predict, owned = {} } = question;
  const joint = ids.filter((id) => owned[id] === undefined);
  const whole = question.parts.filter((part) => !Object.values(owned).includes(part));
  const trials = await tryAll(question, joint, whole);
  const best = trials[0]?.hypothesis ?? {};
  const expectedOf = (isMeant: (one: Hypothesis) => boolean) =>
    trials.find(({ hypothesis }) => isMeant(hypothesis))?.expected ?? [];
  const alternativesOf = (id: DecisionId) =>
    valuesOf(id).map((value) => expectedOf((one) => isOnlyChange(one, best, id, value)));
  const influential = ids.filter(
    (id) => owned[id] !== undefined || differAnywhere(alternativesOf(id), whole),
  );
  const isUnknown = (seen: Seen, at: number) =>
    trials.every(({ expected }) => STRENGTH[compare(expected[at], seen, whole, question)] > 0) ||
    !['ok', 'refused'].includes(seen.view.kind);
  const unknown = question.isInSequence ? question.samples.findIndex(isUnknown) : -1;
  const reach = unknown < 0 ? question.samples.length : unknown;
  const weights = new Map<DecisionId, Weighed>();
  for (const id of ids) {
    const values = valuesOf(id);
    const part = owned[id];
    const isAlone = influential.every((other) => other === id);
    const predicted =
      part === undefined
        ? values.map((value) => expectedOf((one) => one[id] === value))
        : await Promise.all(values.map((value) => predict({ ...best, [id]: value })));
    const alternatives = part === undefined ? alternativesOf(id) : predicted;
    const parts = part === undefined ? whole : [part];
    const trial = { id, values, predicted, alternatives, isAlone, reach, parts, whole };
    weights.set(id, weigh(question, trial));
  }
  const isLeft = ({ against }: Weighed) => against.some(({ strength }) => strength === 0);
  const unexplained = ids.filter((id) => !isLeft(weights.get(id) as Weighed));
  return new Map(
    [...weights].map(([id, weighed]) => {
      // A part that no value explains is held against its owner if all other parts are explained,
      // unless it is the records themselves: not all of them may be known.
      const isPart = owned[id] !== undefined && owned[id] !== 'records';
      const isToBlame = isPart && String(unexplained) === id;
      return [id, conclude(question, id, weighed, isToBlame)];
    }),
  );
}

/** Each combination of values, the one that explains most first. */
async function tryAll(question: Question, ids: readonly DecisionId[], parts: readonly string[]) {
  const hypotheses = ids.reduce<readonly Hypothesis[]>(
    (all, id) => all.flatMap((one) => valuesOf(id).map((value) => ({ ...one, [id]: value }))),
    [{}],
  );
  const trials = await Promise.all(
    hypotheses.map(async (hypothesis) => {
      const expected = await question.predict(hypothesis);
      const misses = question.samples.map(
        (seen, at) => STRENGTH[compare(expected[at], seen, parts, question)],
      );
      return { hypothesis, expected, misses: misses.reduce((sum, one) => sum + one, 0) };
    }),
  );
  return trials.sort((one, other) => one.misses - other.misses);
}

function isOnlyChange(one: Hypothesis, best: Hypothesis, id: DecisionId, value: Value): boolean {
  return Object.entries(one).every(
    ([other, its]) => its === (other === id ? value : best[other as DecisionId]),
  );
}

/** What the model's response to the same request predicts. */
export function expectedOf({ kind, status, parts }: View): Expected {
  return kind === 'ok' ? { kind, parts } : { kind: 'refused', status };
}

type Compared = 'match' | 'miss' | 'less' | 'neutral';

/** Refusals have many causes, and must come twice, but not in a row; the right data have only one. */
const STRENGTH: Readonly<Record<Compared, number>> = { match: 0, neutral: 0, less: 1, miss: 2 };

/**
 * Compares a response with a prediction. `less`: refused in place of a success or with another
 * status, which may have any cause; `neutral`: neither for nor against.
 */
function compare(
  expected: Expected,
  seen: Seen,
  parts: readonly string[],
  { isRefusedAs }: Pick<Question, 'isRefusedAs'>,
): Compared {
  const { kind, parts: said } = seen.view;
  if (expected === undefined || (kind !== 'ok' && kind !== 'refused')) return 'neutral';
  if (expected.kind === 'refused') {
    if (kind === 'ok') return 'miss';
    return isRefusedAs(expected.status, seen) ? 'match' : 'less';
  }
  if (kind === 'refused') return 'less';
  if (expected.kind === 'alike') {
    const [before, after = before] = expected.prints;
    if (before === undefined || before !== after) return 'neutral';
    if (seen.print !== before) return expected.isSteady ? 'miss' : 'neutral';
    return expected.isTelling ? 'match' : 'neutral';
  }
  const common = parts.filter((part) => expected.parts[part] !== undefined);
  const isMiss = common.some((part) => ![expected.parts[part], UNCLEAR].includes(said[part]));
  if (isMiss) return 'miss';
  return common.some((part) => said[part] === UNCLEAR) ? 'neutral' : 'match';
}

/** A decision, and what its values predict for each sample. */
interface Trial {
  readonly id: DecisionId;
  readonly values: readonly Value[];
  /** By value, with the other decisions as they explain most. */
  readonly predicted: readonly (readonly Expected[])[];
  /** By value, with the other decisions as they explain most under any value. */
  readonly alternatives: readonly (readonly Expected[])[];
  /** True if no other decision influences the samples. */
  readonly isAlone: boolean;
  /** Behind this sample, nobody knows what the service has done. */
  readonly reach: number;
  /** The parts that this decision changes, and those that no decision owns. */
  readonly parts: readonly string[];
  readonly whole: readonly string[];
}

interface Against {
  strength: number;
  /** The turns in which refusals spoke against it: those in a row count as one. */
  readonly turns: Set<number>;
  /** True if data speak against it, and if only this decision may be to blame. */
  isMissed: boolean;
  isSure: boolean;
  readonly lines: string[];
}

interface Weighed {
  /** By value: what the samples say against it. */
  readonly against: readonly Against[];
  /** By value: the kinds of samples that speak for it. */
  readonly facets: readonly Set<string>[];
  readonly telling: Seen[];
  readonly unexplained: Seen[];
  /** Why the decision stays open, as clauses. */
  readonly blocked: string[];
  /** True if a refusal, or the same request with two responses, is among what no value explains. */
  isDoubtful: boolean;
}

function weigh(question: Question, trial: Trial): Weighed {
  const { predicted, parts, values } = trial;
  const weighed: Weighed = {
    against: values.map(() => ({
      strength: 0,
      turns: new Set<number>(),
      isMissed: false,
      isSure: false,
      lines: [],
    })),
    facets: values.map(() => new Set<string>()),
    ...{ telling: [], unexplained: [], blocked: [], isDoubtful: false },
  };
  const { telling, unexplained, blocked } = weighed;
  for (const [at, seen] of question.samples.entries()) {
    const expected = predicted.map((one) => one[at]);
    const compared = expected.map((one) => compare(one, seen, parts, question));
    const told = describeRequest(seen.request);
    const isTelling = differ(expected, parts);
    const use = useOf(question, trial, seen, { expected, compared, isTelling });
    if (use === UNEXPLAINED) unexplained.push(seen);
    if (use !== 'counts' && use !== 'nothing') blocked.push(`${told} ${use}`);
    if (use !== 'counts') continue;
    if (isTelling) telling.push(seen);
    if (question.isFlaky(seen)) {
      weighed.isDoubtful = true;
      blocked.push(`${told} does not always get the same response`);
    } else if (compared.every((one) => one === 'neutral')) {
      blocked.push(`${told} ${seen.view.kind === 'ok' ? UNTELLING : `got ${seen.view.status}`}`);
    } else {
      if (compared.includes('neutral')) blocked.push(`${told} ${UNTELLING}`);
      weighed.isDoubtful ||= compared.every((one) => one === 'less');
      if (!compared.some((one) => one === 'match' || one === 'neutral')) unexplained.push(seen);
      const isOwn = differ(
        trial.alternatives.map((one) => one[at]),
        parts,
      );
      // What no value explains is held against a decision only if no other may be to blame.
      const isMeant = at <= trial.reach && !question.isAmbiguous?.(seen);
      const isSure = isMeant && (trial.isAlone || (isOwn && compared.includes('match')));
      addTo(weighed, question, trial, { seen, compared, isTelling, isSure });
    }
  }
  return weighed;
}

const UNEXPLAINED = 'is explained by no value of any decision';
const UNTELLING = 'does not tell its values apart';

interface Comparison {
  readonly compared: readonly Compared[];
  readonly isTelling: boolean;
}

/** Whether a sample counts for a decision, says nothing of it, or keeps it open: then why. */
function useOf(
  question: Question,
  { parts, whole }: Trial,
  seen: Seen,
  { expected, compared, isTelling }: Comparison & { readonly expected: readonly Expected[] },
): string {
  const { kind, parts: said, status } = seen.view;
  if (parts === whole) return isTelling || question.isWhole ? 'counts' : 'nothing';
  if (kind === 'odd') return `got ${status} without a record`;
  // A part tells nothing in a response whose other parts are unexplained.
  const isElsewhere = expected.every((one) => compare(one, seen, whole, question) === 'miss');
  if (question.isWhole && isElsewhere) return UNEXPLAINED;
  if (!isTelling && compared.some((one) => one !== 'miss')) return 'nothing';
  if (compared.every((one) => one === 'less' || one === 'neutral')) {
    return kind !== 'ok' || said[String(parts[0])] === UNCLEAR ? `got ${status}` : 'nothing';
  }
  return kind === 'refused' ? 'nothing' : 'counts';
}

/** Adds what a sample says for and against each value. */
function addTo(
  weighed: Weighed,
  { facetOf }: Question,
  { id, values, parts, whole }: Trial,
  { seen, compared, isTelling, isSure }: Comparison & { readonly seen: Seen; isSure: boolean },
): void {
  const { kind, parts: said } = seen.view;
  const part = parts === whole || kind !== 'ok' ? undefined : said[String(parts[0])];
  for (const [nth, one] of compared.entries()) {
    const against = weighed.against[nth];
    const value = values[nth] ?? '';
    const facet = facetOf ? facetOf(id, seen, value) : 'any';
    if (one === 'match' && isTelling && facet) weighed.facets[nth]?.add(facet);
    if ((one !== 'miss' && one !== 'less') || !against) continue;
    if (one === 'miss' || !against.turns.has(seen.turn)) against.strength += STRENGTH[one];
    if (one === 'less') against.turns.add(seen.turn);
    against.isMissed ||= one === 'miss';
    against.isSure ||= one === 'miss' && isSure;
    // A list of ids shows nothing to a reader.
    const shown =
      part === undefined || part.startsWith('[') ? undefined : cut(part, MAX_PART_LENGTH);
    against.lines.push(`not ${value}: ${describeSample(seen, shown)}`);
  }
}

const MAX_EVIDENCE = 5;
const MAX_PART_LENGTH = 40;
/** Enough to refute a value: one success that it excludes, or two refusals. */
const ENOUGH = STRENGTH.miss;

/**
 * A decision is settled if all samples that it influences match one value in every part, and enough
 * of them speak against each other value.
 */
function conclude(
  { needs = {}, open }: Pick<Question, 'needs' | 'open'>,
  id: DecisionId,
  { against, facets, telling, unexplained, blocked, isDoubtful }: Weighed,
  isToBlame: boolean,
): Found {
  const values = valuesOf(id);
  const evidence = against.flatMap(({ lines: [line] }) => line ?? []).slice(0, MAX_EVIDENCE);
  const left = values.filter((_, nth) => against[nth]?.strength === 0);
  const [value] = left;
  const nth = values.indexOf(value as Value);
  const isRefuted = against.every(({ strength }, at) => at === nth || strength >= ENOUGH);
  const [block] = blocked;
  const seen = { evidence, samples: telling, unexplained };
  if (telling.length + unexplained.length === 0 && block === undefined) {
    return { ...seen, verdict: 'unseen', reason: 'No response tells its values apart.' };
  }
  const isSure = against.every((one) => one.isSure || (isToBlame && one.isMissed));
  if (!open && left.length === 0 && !isDoubtful && isSure) {
    return { ...seen, verdict: 'none', reason: 'No value describes what the service does.' };
  }
  const reasons = [
    open,
    telling.length === 0 && block && `${block}.`,
    left.length === 0 && 'No value explains all responses, but other causes may.',
    block && `${left.join(', ')} explain the rest, but ${block}.`,
    left.length > 1 && `${left.join(', ')} explain the responses.`,
    unexplained.length > 0 && 'Some responses are explained by no value.',
    !isRefuted && `${value} explains the responses, but too little speaks against another value.`,
    (facets[nth]?.size ?? 0) < (needs[id] ?? 1) &&
      `${value} explains the responses, but not all that it is about was asked.`,
  ];
  const reason = reasons.find(Boolean);
  return reason
    ? { ...seen, verdict: 'undecided', reason, isBetween: left.length > 1 && !open && !block }
    : { ...seen, verdict: 'settled', value: value as Value };
}

function differ(expected: readonly Expected[], parts: readonly string[]): boolean {
  const shapes = expected.map((one) =>
    JSON.stringify(one?.kind === 'ok' ? parts.map((part) => one.parts[part]) : one),
  );
  return new Set(shapes).size > 1;
}

function differAnywhere(all: readonly (readonly Expected[])[], parts: readonly string[]): boolean {
  return (all[0] ?? []).some((_, at) =>
    differ(
      all.map((one) => one[at]),
      parts,
    ),
  );
}
