import { isObject } from '../../../core/values/json-value.js';
import { idOf, isOfAccount, type Sample, successBody } from './samples.js';

/** A customer as all responses together show it; what none of them shows is undefined. */
export interface SeenCustomer {
  readonly id: string;
  readonly externalId: string | undefined;
  readonly name: string | undefined;
  readonly aliases: readonly string[] | undefined;
}

export function customersSeen(samples: readonly Sample[]): readonly SeenCustomer[] {
  const records = new Map<string, Readonly<Record<string, unknown>>>();
  for (const sample of samples) {
    const record = customerRecordOf(sample);
    const id = idOf(record?.id);
    if (id !== undefined) records.set(id, { ...records.get(id), ...record });
  }
  return [...records].map(([id, { externalId, name, aliases }]) => ({
    id,
    externalId: idOf(externalId),
    name: typeof name === 'string' ? name : undefined,
    aliases: Array.isArray(aliases)
      ? aliases.filter((alias) => typeof alias === 'string')
      : undefined,
  }));
}

function customerRecordOf(sample: Sample) {
  const customer = isOfAccount(sample) ? successBody(sample)?.customer : undefined;
  return isObject(customer) ? customer : undefined;
}
