import { type DecisionId, LEDGER } from '#spec';
import type { Found } from '../judge.js';
import { enumValues } from './enum-values.js';
import type { Observation, SeenData } from './observation.js';
import { optionalFields } from './optional-fields.js';
import { rateLimit } from './rate-limit.js';
import { undocumentedFields } from './undocumented-fields.js';

/** The decisions about data: what records and header fields show is read, not predicted. */
const OBSERVERS = {
  'optional-fields': optionalFields,
  'enum-values': enumValues,
  'undocumented-fields': undocumentedFields,
  'rate-limit': rateLimit,
} as const satisfies Partial<Record<DecisionId, (seen: SeenData) => readonly Observation[]>>;

export function answerOfData(seen: SeenData): ReadonlyMap<DecisionId, Found> {
  const observers = Object.entries(OBSERVERS) as [
    keyof typeof OBSERVERS,
    (typeof OBSERVERS)[keyof typeof OBSERVERS],
  ][];
  return new Map(observers.map(([id, observe]) => [id, conclude(id, observe(seen))]));
}

function conclude(id: DecisionId, observations: readonly Observation[]): Found {
  const [first, ...others] = observations.map(({ explainedBy }) => explainedBy);
  const samples = [...new Set(observations.flatMap((one) => one.samples))];
  const seen = { evidence: evidenceOf(id, observations), samples };
  if (first === undefined) return { ...seen, verdict: 'unseen', reason: 'No record shows it.' };
  const left = first.filter((value) => others.every((more) => more.includes(value)));
  const [value] = left;
  if (value === undefined) {
    return { ...seen, verdict: 'none', reason: 'No value describes what the service does.' };
  }
  const open = observations.find((one) => one.open !== undefined)?.open;
  const reasons = [
    left.length > 1 && `${left.join(', ')} explain the records.`,
    open && `${value} explains the records, but ${open}.`,
  ];
  const reason = reasons.find(Boolean);
  return reason
    ? { ...seen, verdict: 'undecided', reason }
    : { ...seen, verdict: 'settled', value };
}

const MAX_EVIDENCE = 5;

/** One line for each set of explaining values, with the number of other lines for the set. */
function evidenceOf(id: DecisionId, observations: readonly Observation[]): readonly string[] {
  const all = Object.keys(LEDGER[id].values).length;
  const telling = observations.filter(({ explainedBy }) => explainedBy.length < all);
  const groups = new Map<string, Set<string>>();
  for (const { explainedBy, evidence } of telling.length > 0 ? telling : observations) {
    const values = explainedBy.join();
    groups.set(values, (groups.get(values) ?? new Set()).add(evidence));
  }
  return [...groups.values()].slice(0, MAX_EVIDENCE).map((lines) => {
    const [first, ...others] = lines;
    return others.length === 0 ? String(first) : `${first} (and ${others.length} more like it)`;
  });
}
