import { OPTIONAL_FIELDS } from '../../generated/operations.js';
import { didYouMean } from '../values/did-you-mean.js';
import { isObject } from '../values/json-value.js';
import { type Mistake, unknownName } from '../values/mistake.js';
import { isTimestamp } from '../values/time.js';
import type { ChangeWithSeen, GivenChanges, Seen } from './decision-changes.js';
import { type DecisionId, LEDGER, type LedgerRow } from './ledger.js';

export interface DecisionMistake extends Mistake {
  /** The id of the decision, and the members of the change down to the invalid one. */
  readonly path: Path;
}

type Path = readonly [id: string, ...members: string[]];

type Check = (value: unknown, path: Path) => Iterable<DecisionMistake>;

type Checks<T> = { readonly [Name in keyof T]-?: Check };

/** Finds mistakes in changes; with the scope `account`, server-wide decisions are mistakes, too. */
export function* wrongChanges(
  changes: GivenChanges,
  scope: 'server' | 'account',
): Generator<DecisionMistake, void> {
  for (const [id, change] of Object.entries(changes)) yield* wrongChange([id], change, scope);
}

function wrongChange(
  [id]: Path,
  change: unknown,
  scope: 'server' | 'account',
): Iterable<DecisionMistake> {
  if (!Object.hasOwn(LEDGER, id)) {
    return [{ ...unknownName([id], change, Object.keys(LEDGER), 'decision'), path: [id] }];
  }
  const row: LedgerRow = LEDGER[id as DecisionId];
  if (row.isServerWide && scope === 'account') {
    const expected = 'no change: this decision is switched for the whole server, when it starts';
    const fix = 'Leave it out, and start the mock with --decide (decisions in the library).';
    return [{ path: [id], expected, received: change, fix }];
  }
  const wrongValue: Check = (value, path) => {
    const isPlain = typeof value === 'string' || typeof value === 'number';
    const isKnown = Object.hasOwn(row.values, String(value)) || row.form?.test(String(value));
    if (isPlain && isKnown) return id === 'optional-fields' ? unknownFields(value, path) : [];
    const known = Object.keys(row.values);
    const listed = `${known.slice(0, -1).join(', ')} or ${row.formIs} such as ${known.at(-1)}`;
    return [unlistedName(path, value, row.formIs ? listed : `one of ${known.join(', ')}`, known)];
  };
  if (!isObject(change)) return wrongValue(change, [id]);
  const checks: Checks<ChangeWithSeen<unknown>> = {
    value: wrongValue,
    seen: wrongSeen,
    accepted: rule("'none'", (value) => value === undefined || value === 'none'),
  };
  return wrongMembers(change, [id], checks, ['seen', 'accepted']);
}

/** Finds pointers that would change no record: mistyped ones, and those to fields such as `id`. */
function unknownFields(value: string | number, path: Path): DecisionMistake[] {
  const expected = 'a pointer to a field that the document lists and records may lack';
  return String(value)
    .split(',')
    .map((part) => part.replace(/=null$/, ''))
    .filter((part) => part.startsWith('/') && !OPTIONAL_FIELDS.includes(part))
    .map((pointer) => unlistedName(path, pointer, expected, OPTIONAL_FIELDS));
}

const LINE = 'line of 1 to 500 characters';
const LINE_FORM = /^\P{Cc}{1,500}$/u;
const MAX_LINES = 20;

const SEEN: Checks<Seen> = {
  host: rule(`a host or the name of a HAR file, a ${LINE}`, isLine),
  at: rule(
    'a date-time such as 2026-01-31T12:00:00.000Z',
    (value) => typeof value === 'string' && isTimestamp(value),
  ),
  evidence: rule(
    `a list of 1 to ${MAX_LINES} texts such as "GET /measurements?limit=0 -> 400", each a ${LINE}`,
    (value) =>
      Array.isArray(value) && value.length > 0 && value.length <= MAX_LINES && value.every(isLine),
  ),
};

function wrongSeen(value: unknown, path: Path): Iterable<DecisionMistake> {
  if (value === undefined) return [];
  if (isObject(value)) return wrongMembers(value, path, SEEN);
  const expected = `an object with ${Object.keys(SEEN).join(', ')}`;
  return [{ path, expected, received: value }];
}

function* wrongMembers(
  value: GivenChanges,
  path: Path,
  checks: Readonly<Record<string, Check>>,
  optional: readonly string[] = [],
): Generator<DecisionMistake, void> {
  const names = Object.keys(checks);
  const required = names.filter((name) => !optional.includes(name));
  const missing = required.filter((name) => value[name] === undefined);
  for (const name of missing) {
    yield { path, expected: `the member '${name}'`, received: value, fix: 'Add it.' };
  }
  for (const [name, member] of Object.entries(value)) {
    const memberPath: Path = [...path, name];
    if (missing.includes(name)) continue;
    if (Object.hasOwn(checks, name)) yield* checks[name]?.(member, memberPath) ?? [];
    else yield { ...unknownName(memberPath, member, names), path: memberPath };
  }
}

function rule(expected: string, isValid: (value: unknown) => boolean): Check {
  return (received, path) => (isValid(received) ? [] : [{ path, expected, received }]);
}

function isLine(value: unknown): boolean {
  return typeof value === 'string' && LINE_FORM.test(value);
}

function unlistedName(
  path: Path,
  received: unknown,
  expected: string,
  known: readonly string[],
): DecisionMistake {
  const fix = didYouMean(received, known);
  return { path, expected, received, ...(fix && { fix }) };
}
