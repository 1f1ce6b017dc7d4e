import type { faker } from '@faker-js/faker/locale/en';
import { hash, hashAfter } from '../../store/hash.js';

/** Draws invented names, addresses and the like. */
export type Faker = typeof faker;

/** What gives each record its own faker, so that no record depends on how many came before it. */
export type FakerFor = (...record: readonly (string | number)[]) => Faker;

/**
 * A source of fakers that depend on nothing but the seed and the record they are asked for. One
 * faker is seeded again for each record: use it up before asking for the next.
 */
export function createFakerFor(seed: number, shared: Faker): FakerFor {
  // An instance of its own: the shared one is state of the module, which others may draw from.
  const Own = shared.constructor as new (options: { locale: Faker['rawDefinitions'] }) => Faker;
  const faker = new Own({ locale: shared.rawDefinitions });
  return (...record) => {
    faker.seed(hash(seed, ...record));
    return faker;
  };
}

/** A number from 0 up to 1 that depends on the parts alone. */
export function fraction(...parts: readonly (string | number)[]): number {
  return hash(...parts) / RANGE;
}

/** The same for many that begin alike: what they begin with is gone through once. */
export function fractionAfter(
  ...first: readonly (string | number)[]
): (...rest: readonly (string | number)[]) => number {
  const hashRest = hashAfter(...first);
  return (...rest) => hashRest(...rest) / RANGE;
}

const RANGE = 2 ** 32;
