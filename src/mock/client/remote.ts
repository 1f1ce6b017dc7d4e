import { undefinedIfUnknown } from './error-of-problem.js';
import type { Call, CallParts } from './send.js';
import type { Verb } from './verb.js';

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

type Query = NonNullable<CallParts['query']>;

type Rows = Readonly<Record<string, Verb | string>>;

/** The verbs of a part that no row describes. */
export type ByHand<Part, Of extends Rows> = {
  readonly [Name in keyof Part as Name extends keyof Of
    ? Of[Name] extends string
      ? Name
      : never
    : Name]: Part[Name];
};

/** A part of the library, used remotely. Each call that a row describes has the query. */
export function remotePart<Part, Of extends Rows>(
  call: Call,
  rows: Of,
  byHand: ByHand<Part, Of>,
  query: Query = {},
): Part {
  const members = Object.getOwnPropertyDescriptors<object>(byHand);
  for (const [name, row] of Object.entries(rows)) {
    if (typeof row === 'string') continue;
    const run = (given?: unknown) => callVerb(call, row, query, given);
    const member = row.isData ? { get: () => run() } : { value: run, writable: true };
    members[name] = { ...member, configurable: true };
  }
  // Getters send requests: hidden from whatever prints, copies or compares the part.
  for (const member of Object.values(members)) member.enumerable = member.get === undefined;
  return Object.defineProperties({}, members) as Part;
}

async function callVerb(
  call: Call,
  { route, takes, returns }: Verb,
  query: Query,
  given: unknown,
): Promise<unknown> {
  const sent = takes?.send(given) ?? {};
  const calling = call(route, { ...(sent as CallParts), query: { ...query, ...sent.query } });
  const body = await (takes?.mayBeUnknown ? undefinedIfUnknown(calling) : calling);
  if (returns === null) return undefined;
  return returns === undefined || body === undefined ? body : Reflect.get(body, returns);
}
