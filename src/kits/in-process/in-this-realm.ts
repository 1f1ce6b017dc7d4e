import { types } from 'node:util';

/**
 * A part of the library as a test of this realm sees it. Node loads the library once for all files of
 * a worker of jest, but each file has a realm of its own, in which `toStrictEqual` and `instanceof`
 * know no object of another. So parts are wrapped, and the data that they return are copied.
 */
export function inThisRealm<Part extends object>(part: Part): Part {
  if (isOfThisRealm(part)) return part;
  return new Proxy(part, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== 'function') return ownValue(value);
      return (...given: unknown[]) => {
        try {
          return ownValue(Reflect.apply(value, target, given));
        } catch (error) {
          throw ownError(error);
        }
      };
    },
  });
}

/** The error, or a copy of this realm that `instanceof` knows as well as the original. */
export function ownError(error: unknown): unknown {
  if (isOfThisRealm(error) || !types.isNativeError(error)) return error;
  const { message, stack, cause } = error;
  const prototypes = prototypesOf(error);
  const isTypeError = prototypes.some(({ name }: { name?: string }) => name === 'TypeError');
  const OwnError = isTypeError ? TypeError : Error;
  const copy = new OwnError(message, cause === undefined ? {} : { cause: ownError(cause) });
  Object.assign(copy, copyOf(error), { stack });
  for (const mark of prototypes.flatMap(Object.getOwnPropertySymbols)) {
    Object.defineProperty(copy, mark, { value: true });
  }
  return copy;
}

function ownValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isOfThisRealm(value)) return value;
  if (types.isPromise(value)) return ownPromise(value);
  if (types.isDate(value)) return new Date(value.getTime());
  return isData(value) ? copyOf(value) : inThisRealm(value);
}

async function ownPromise(outcome: Promise<unknown>): Promise<unknown> {
  try {
    return ownValue(await outcome);
  } catch (error) {
    throw ownError(error);
  }
}

function copyOf(value: object): object {
  if (Array.isArray(value)) return Array.from(value, ownValue);
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, member]) => [name, ownValue(member)]));
}

/** Whether it is a list, or an object of no class that has no methods. */
function isData(value: object): boolean {
  if (Array.isArray(value)) return true;
  return (
    prototypesOf(value).length <= 1 &&
    Object.values(value).every((member) => typeof member !== 'function')
  );
}

function isOfThisRealm(value: unknown): boolean {
  return value instanceof Object;
}

function prototypesOf(value: object): readonly object[] {
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype === null ? [] : [prototype, ...prototypesOf(prototype)];
}
