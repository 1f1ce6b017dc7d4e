import {
  type Anonymising,
  createAnonymiser,
  type Fixture,
  type OpenApiDocument,
  RESOURCE_NAMES,
  type RecordChecks,
  type ResourceName,
} from '#spec';
import { OptionError } from '../../../core/errors/option-error.js';
import { mistakeOfNumber } from '../../../core/values/exact-numbers.js';
import { memberOf, pointerTo } from '../../../core/values/json-value.js';
import { sortableInstant } from '../../../core/values/time.js';
import { recordsOf } from '../seen/documented-members.js';
import { idOf, instantOf, isAccepted, type Members, type Sample } from '../seen/samples.js';
import { gapsInWords, readRecordings } from './read-recordings.js';

interface RecordingFlags {
  readonly recordings: readonly string[];
  readonly basePath: string | undefined;
}

interface NamedRecord {
  readonly name: ResourceName;
  readonly value: Members;
}

export interface RecordedFixture {
  readonly fixture: Fixture;
  /** Values that no fixture can have: `customers.email of 'c1'`. */
  readonly leftOut: readonly string[];
  /** What the recordings lack, in sentences, as in the report of `settle`. */
  readonly gaps: readonly string[];
}

/** How far the clocks of the service and the recorder may differ. */
const MAX_SKEW_MS = 300_000;

/**
 * Reads the records of a service from recordings: each in its newest version, and those that the
 * recorded calls deleted as they were before. Throws an `OptionError` if there are none.
 */
export function readRecordedFixture(
  { recordings, basePath }: RecordingFlags,
  document: OpenApiDocument,
  checks: RecordChecks,
  anonymising: Anonymising,
): RecordedFixture {
  const { samples, startedAtMs = 0, gaps } = readRecordings(recordings, basePath, document);
  refuseChangedNumbers(samples);
  const newest = new Map<string, NamedRecord>();
  for (const { envelope, value } of recordsOf({ samples, document })) {
    // The envelope of a single record is singular: `customer`.
    const name = RESOURCE_NAMES.find((one) => one.startsWith(envelope));
    const id = idOf(value.id);
    if (!name || !id) continue;
    const key = `${name} ${id}`;
    const before = newest.get(key)?.value;
    if (isOlder(value.updatedAt, before?.updatedAt)) continue;
    newest.set(key, { name, value: withTextIds(undeleted(value, before, startedAtMs)) });
  }
  if (newest.size === 0) {
    throw new OptionError(
      'The recordings contain no customers, contracts, measurements or events; expected successful calls such as GET /measurements, with response bodies. Record again while your client calls the service.',
    );
  }
  const ids = new Set([...newest.values()].map(({ value }) => value.id));
  const anonymise = createAnonymiser({ ...anonymising, isId: (text) => ids.has(text) });
  const keeping = checks.keepingUndocumented();
  const read = [...newest.values()].map((one) => ({ ...one, ...withoutMistakes(one, keeping) }));
  const lists = RESOURCE_NAMES.map((name) => {
    const records = read.filter((one) => one.name === name).map(({ record }) => record);
    return [name, records.map((record) => anonymise(name, record as never))] as const;
  });
  const isListed = read.every(({ name, record }) => checks.record(name, record).length === 0);
  const fixture: Fixture = {
    exact: true,
    ...(!isListed && { undocumented: 'keep' }),
    ...Object.fromEntries(lists.filter(([, records]) => records.length > 0)),
  };
  return { fixture, leftOut: read.flatMap(({ removed }) => removed), gaps: gapsInWords(gaps) };
}

/** A record with such a number would not be the one that the service has sent. */
function refuseChangedNumbers(samples: readonly Sample[]): void {
  for (const { request, response } of samples) {
    if (response.body.kind !== 'json' || !response.body.changed || !isAccepted({ response }))
      continue;
    const { path, ...mistake } = mistakeOfNumber(response.body.changed);
    throw new OptionError(
      `The recording has a response of ${request.operationId} with ${mistake.written} at ${pointerTo(...path)}; expected ${mistake.expected}. ${mistake.fix}`,
    );
  }
}

function isOlder(one: unknown, other: unknown): boolean {
  if (instantOf(one) === undefined || instantOf(other) === undefined) return false;
  return sortableInstant(String(one)) < sortableInstant(String(other));
}

/** Undoes a deletion by the recorded calls; returns any other record as it is. */
function undeleted(record: Members, before: Members | undefined, begunAtMs: number): Members {
  const deletedAtMs = instantOf(record.deletedAt);
  if (deletedAtMs === undefined || deletedAtMs < begunAtMs - MAX_SKEW_MS) return record;
  if (before) return before;
  const { deletedAt, updatedAt, ...rest } = record;
  // If the deletion changed `updatedAt`, the value before is unknown.
  return updatedAt === undefined || updatedAt === deletedAt ? rest : { ...rest, updatedAt };
}

/** The mock needs ids that are strings; some services use numbers. */
function withTextIds(record: Members): Members {
  const ids = ['id', 'customerId', 'meterId'].flatMap((name) =>
    typeof record[name] === 'number' ? [[name, String(record[name])]] : [],
  );
  return { ...record, ...Object.fromEntries(ids) };
}

/** The record without the values that a fixture would reject, and what these are. */
function withoutMistakes({ name, value }: NamedRecord, checks: RecordChecks) {
  const record = structuredClone(value);
  const removed: string[] = [];
  for (;;) {
    const [mistake] = checks.record(name, record);
    if (!mistake || mistake.path.length === 0) return { record, removed };
    removed.push(`${name}.${mistake.path.join('.')} of '${value.id}'`);
    removeAt(record, mistake.path);
  }
}

function removeAt(record: object, path: readonly string[]): void {
  const parent = path.slice(0, -1).reduce<unknown>(memberOf, record);
  const last = path.at(-1) ?? '';
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(Object(parent), last);
}
