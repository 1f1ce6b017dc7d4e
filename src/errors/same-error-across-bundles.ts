type ErrorClass = abstract new (...given: never[]) => Error;

/**
 * Lets `instanceof` know the errors of a class, whichever copy threw them: the library, the
 * client and the kits are files of their own, each with its classes.
 */
export function recogniseAcrossBundles(owner: ErrorClass, name: string): void {
  const mark = Symbol.for(`usage-billing-mock.${name}`);
  Object.defineProperty(owner.prototype, mark, { value: true });
  Object.defineProperty(owner, Symbol.hasInstance, {
    value(this: ErrorClass, value: unknown): boolean {
      // A class that extends this one has the method too, and knows its own instances alone.
      if (this !== owner) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === 'object' && value !== null && mark in value;
    },
  });
}
