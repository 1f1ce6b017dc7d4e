type Method = (...given: never[]) => unknown;

/** True for a part of the library that has methods, such as a journal; false for plain data. */
type HasMethods<Part> = Part extends object
  ? true extends { [Name in keyof Part]-?: Part[Name] extends Method ? true : false }[keyof Part]
    ? true
    : false
  : false;

/**
 * A part of the library, used remotely: every method returns a promise, and every data member, such
 * as `journal.evicted`, is one.
 *
 * @example
 * const remote: Remote<AccountControl> = connectMockServer({ url }).account('my-token');
 * await remote.customers.put({ id: 'c1', name: 'Initech' });
 */
export type Remote<Control> = {
  // `waitFor` returns a promise in the library too.
  readonly [Name in keyof Control]: Name extends 'waitFor'
    ? Control[Name]
    : Control[Name] extends (...given: infer Given) => infer Result
      ? (...given: Given) => Promise<Result>
      : HasMethods<Control[Name]> extends true
        ? Remote<Control[Name]>
        : Promise<Control[Name]>;
};
