import { CUSTOMER_SOURCES } from '#spec';
import { cut } from '../../../core/values/received-value.js';
import { describeSample } from '../seen/evidence.js';
import { isOfAccount, type Sample, successBody } from '../seen/samples.js';
import { successPlaceOf, walk } from './documented-members.js';
import type { Observation, SeenData } from './observation.js';

const LONGEST = 60;

/** A field with an open list of values: those of `documented`, and those that `varied` adds. */
interface OpenField {
  readonly name: string;
  /** How pointers to the field end. */
  readonly pointer: string;
  readonly documented: readonly string[];
  readonly varied: readonly string[];
}

/** The fields whose values the specification does not list completely (section 2.6). */
const OPEN_FIELDS: readonly OpenField[] = [
  { name: 'source', pointer: '/customer/source', documented: CUSTOMER_SOURCES, varied: [] },
  {
    name: 'duration.unit',
    pointer: '/scheduling/duration/unit',
    documented: ['MONTH'],
    varied: ['DAY', 'WEEK', 'YEAR'],
  },
  {
    name: 'pricing.type',
    pointer: '/pricing/type',
    documented: ['ONE_TIME'],
    varied: ['SUBSCRIPTION', 'TIERED', 'PER_UNIT', 'CONTRACT_TERMS'],
  },
];

/** Compares `source`, `duration.unit` and `pricing.type` with the known values (section 2.6). */
export function enumValues(seen: SeenData): readonly Observation[] {
  const values = seen.samples.filter(isOfAccount).flatMap((one) => openValuesIn(one, seen));
  const unseen = OPEN_FIELDS.filter((open) => !values.some(({ field }) => field === open));
  const names = unseen.map(({ name }) => name).join(' and ');
  // What one field shows does not settle the others.
  const open = names === '' ? undefined : `no ${names} was seen`;
  return values.map((one) => ({ ...observeValue(one), open }));
}

type OpenValue = ReturnType<typeof openValuesIn>[number];

function observeValue({ sample, field: { name, documented, varied }, value }: OpenValue) {
  const other = varied.includes(value) ? ['varied'] : ['unfamiliar'];
  return {
    explainedBy: documented.includes(value) ? ['documented', 'varied'] : other,
    evidence: describeSample(sample, `${name} is ${cut(value, LONGEST)}`),
    samples: [sample],
  };
}

function openValuesIn(sample: Sample, { document }: SeenData) {
  const found: { sample: Sample; field: OpenField; value: string }[] = [];
  walk(successPlaceOf(sample.request.operationId, document), successBody(sample), (described) => {
    const { place, value } = described;
    const field = OPEN_FIELDS.find(({ pointer }) => place.pointer.endsWith(pointer));
    if (field && typeof value === 'string') found.push({ sample, field, value });
  });
  return found;
}
