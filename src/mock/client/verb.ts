import { isObject } from '../../core/values/json-value.js';
import type { BodyOf, Route } from './control-routes.js';

/** The parts of a request that a verb fills, and that the server has validated. */
interface Parts {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/**
 * How the argument of a verb travels: where the client puts it in a request, and where the server
 * finds it.
 */
export interface Argument {
  readonly send: (given: unknown) => Parts;
  readonly read: (received: Parts) => unknown;
  /** Whether the verb returns undefined, and throws nothing, if the account has no such id. */
  readonly mayBeUnknown?: true;
}

export const AS_BODY: Argument = { send: (body) => ({ body }), read: ({ body }) => body };

/** As a member of the body. */
export const asMember = (name: string): Argument => ({
  send: (value) => ({ body: { [name]: value } }),
  read: ({ body }) => (isObject(body) ? Reflect.get(body, name) : undefined),
});

/** As the parameters of the query. */
export const IN_QUERY: Argument = {
  send: (options) => ({ query: { ...Object(options) } }),
  read: ({ query }) => query,
};

/** As an id in the path; the verb rejects with an `UnknownIdError` if nothing has it. */
export const inPath = (name: string): Argument => ({
  send: (id) => ({ path: { [name]: id } }),
  read: ({ path }) => Reflect.get(Object(path), name),
});

/** As an id in the path; the verb returns undefined if nothing has it. */
export const asId = (name: string): Argument => ({ ...inPath(name), mayBeUnknown: true });

/**
 * A verb of the library as a call of the control plane. The client calls its route. The server runs
 * the verb for its route, unless `control-plane/operations/` has a line for that.
 */
export interface Verb {
  readonly route: Route;
  /** How its argument travels; left out if it has none. */
  readonly takes?: Argument;
  /** The member of the response that it returns; all of it if left out, nothing if null. */
  readonly returns?: string | null | undefined;
  /** The route whose response follows, if it returns nothing. */
  readonly shows?: Route;
  /** Whether it is a data member, not a method. */
  readonly isData?: true;
}

type Method = (...given: never[]) => unknown;

type Returned<Member> = Member extends (...given: never[]) => infer Result ? Result : Member;

/** Whether the document describes the library's type, perhaps less narrowly. */
type Describes<Body, Type> = Body extends Type ? true : Type extends Body ? true : false;

/** The members of a body that describe the type. */
type MembersOf<Body, Type> = {
  [Name in keyof Body]-?: true extends Describes<Body[Name], Type> ? Name : never;
}[keyof Body];

type Returning<Type, Body> =
  | (true extends Describes<Body, Type> ? { readonly returns?: undefined } : never)
  | { readonly returns: MembersOf<Body, Type> }
  | (Type extends void ? { readonly returns: null } : never);

type Row<Member> = Pick<Verb, 'takes' | 'shows'> &
  (Member extends Method ? { readonly isData?: undefined } : { readonly isData: true }) &
  {
    [To in Route]: { readonly route: To } & Returning<Returned<Member>, BodyOf<To>>;
  }[Route];

/**
 * The verbs of a part of the library. For a verb that both sides implement by hand, only the route
 * is listed.
 */
export type VerbsOf<Part> = { readonly [Name in keyof Part]: Row<Part[Name]> | Route };
