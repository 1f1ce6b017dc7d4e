import type { SuccessBody } from '../../core/billing/operation.js';
import type { paths } from '../../generated/control.js';

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

/** The method and path of an operation of the control plane, such as `GET /clock`. */
export type Route = {
  [Path in keyof paths]: {
    [Name in Method]: paths[Path][Name] extends object ? `${Uppercase<Name>} ${Path}` : never;
  }[Method];
}[keyof paths];

/** The operation of a route, as the document types it. */
export type OperationOf<To extends Route> =
  To extends `${infer Name} ${infer Path extends keyof paths}`
    ? paths[Path][Lowercase<Name> & Method]
    : never;

export type PathOf<To extends Route> =
  OperationOf<To> extends { parameters: { path: infer Names } } ? Names : undefined;

export type BodyOf<To extends Route> =
  OperationOf<To> extends { responses: infer Responses } ? SuccessBody<Responses> : never;
