import { UnknownIdError } from '../../../core/errors/unknown-id.js';
import type { Stub } from '../../../core/stubs/stub.js';
import type { Stubs } from '../../../core/stubs/stubs.js';
import type { Journal } from '../../accounts/journal/journal.js';
import type { Route } from '../../client/control-routes.js';
import type { Verb } from '../../client/verb.js';
import { VERBS } from '../../client/verbs.js';
import type { ControlContext, ControlOperation } from './control-operation.js';

type Owner = Stub['for'];
type Rows = Readonly<Record<string, Verb | string>>;
type PartOf = (context: ControlContext, owner?: Owner) => object;

/** The parameters that say whose journal or stubs a request is about. */
interface Owned {
  readonly of?: Owner;
  readonly for?: Owner;
}

/** The parts of an account whose verbs have rows, and which of them a request is about. */
const PARTS = {
  account: [VERBS.account, ({ account }) => account],
  journal: [VERBS.journal, journalOf],
  faults: [VERBS.faults, ({ account }) => account.faults],
  stubs: [VERBS.stubs, stubsOf],
  latency: [VERBS.latency, ({ account }) => account.latency],
} as const satisfies Readonly<Record<string, readonly [Rows, PartOf]>>;

/** The route of a row, if what the verb returns or the row shows is a response. */
type Served<Row> = Row extends Verb
  ? Row extends { readonly returns: null }
    ? Row extends { readonly shows: Route }
      ? Row['route']
      : never
    : Row['route']
  : never;
type RouteIn<Of> = Of extends Rows ? Served<Of[keyof Of]> : never;

/** The routes that need no code of their own, because a verb of the library is all that they do. */
export type VerbRoute = RouteIn<(typeof PARTS)[keyof typeof PARTS][0]>;

/**
 * The operations that run a verb of the library. Some then show the response of another operation,
 * which `find` finds.
 */
export function operationsByVerb(
  find: (route: Route) => ControlOperation,
): Readonly<Record<string, ControlOperation>> {
  const operations = Object.entries(PARTS).flatMap(([part, [rows, partOf]]) =>
    Object.entries<Verb | string>(rows).flatMap(([name, row]) =>
      typeof row === 'string' || (row.returns === null && !row.shows)
        ? []
        : [[row.route, runVerb(part, partOf, name, row)] as const],
    ),
  );

  function runVerb(
    partName: string,
    partOf: PartOf,
    name: string,
    { takes, returns, shows }: Verb,
  ): ControlOperation {
    return (context, input) => {
      const { of, for: owner = of } = input.query as Owned;
      const given = takes?.read(input);
      const part = partOf(context, owner);
      const member: unknown = Reflect.get(part, name);
      const result = typeof member === 'function' ? member.call(part, given) : member;
      if (shows !== undefined) return find(shows)(context, input);
      if (result === undefined) throw unknownId(partName, given, owner);
      return typeof returns === 'string' ? { [returns]: result } : result;
    };
  }

  return Object.fromEntries(operations);
}

export function journalOf(context: ControlContext, owner?: Owner): Journal {
  return owner === 'server' ? context.serverJournal : context.journal;
}

export function stubsOf(context: ControlContext, owner?: Owner): Stubs {
  return owner === 'server' ? context.stubs : context.account.stubs;
}

/** The error for an id that a part of the account or server, such as `faults`, does not have. */
export function unknownId(part: string, id: unknown, owner: Owner = 'account'): UnknownIdError {
  const mayBeServers = part === 'stubs' && owner === 'account';
  const hint = mayBeServers ? " For the server's stubs, add ?for=server." : '';
  return new UnknownIdError(
    `The ${owner} has no ${part.replace(/s$/, '')} '${id}'; expected an id that GET /__control/${part} lists.${hint}`,
  );
}
