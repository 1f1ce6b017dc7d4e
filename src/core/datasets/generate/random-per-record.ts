import type { faker } from '@faker-js/faker/locale/en';
import { endHash, hash } from '../../store/hash.js';

export type Faker = typeof faker;

/** Returns the faker of a record, so that no record depends on how many came before it. */
export type FakerFor = (...record: readonly (string | number)[]) => Faker;

/**
 * Returns a function that seeds a faker with the seed and the record alone. It returns the same
 * faker for every record: finish with it before asking for the next.
 */
export function createFakerFor(seed: number, shared: Faker): FakerFor {
  // A separate instance, because others may use the module's shared one.
  const Own = shared.constructor as new (options: { locale: Faker['rawDefinitions'] }) => Faker;
  const faker = new Own({ locale: shared.rawDefinitions });
  return (...record) => {
    faker.seed(hash(seed, ...record));
    return faker;
  };
}

/** A number from 0 up to, but not including, 1 that depends on the parts alone. */
export function fraction(...parts: readonly (string | number)[]): number {
  return hash(...parts) / RANGE;
}

/** `fraction` of the parts that `beginHash` was given, and a last one. */
export function endFraction(begun: number, last: string | number): number {
  return endHash(begun, last) / RANGE;
}

const RANGE = 2 ** 32;
