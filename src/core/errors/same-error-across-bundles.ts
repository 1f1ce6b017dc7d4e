type ErrorClass = abstract new (...given: never[]) => Error;

/**
 * Lets `instanceof` recognise errors that another copy of a class has thrown: the library, the
 * client and the kits are separate bundles, each with its own classes.
 */
export function recogniseAcrossBundles(owner: ErrorClass, name: string): void {
  const mark = Symbol.for(`usage-billing-mock.${name}`);
  Object.defineProperty(owner.prototype, mark, { value: true });
  Object.defineProperty(owner, Symbol.hasInstance, {
    value(this: ErrorClass, value: unknown): boolean {
      // A subclass inherits this method, but must recognise only its own instances.
      if (this !== owner) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === 'object' && value !== null && mark in value;
    },
  });
}
