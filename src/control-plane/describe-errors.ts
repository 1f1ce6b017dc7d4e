import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { type ProblemName, titleOf } from '../errors/problem-types.js';
import { UNGUARDED } from './start.js';

type Responses = OpenAPIV3.ResponsesObject;
type CommonError = readonly [status: number, problem: ProblemName, description: string];

/** The responses that many operations have, by name; the document itself describes the others. */
const COMMON_ERRORS: Readonly<Record<string, CommonError>> = {
  InvalidRequest: [
    400,
    'invalid-request',
    'A parameter or the body is missing, malformed or out of bounds. Nothing was changed.',
  ],
  Unauthorized: [
    401,
    'unauthorized',
    'The Authorization header is missing or malformed, or its token is refused.',
  ],
  Forbidden: [
    403,
    'forbidden',
    'The control plane refuses this address, Host, Origin or control token.',
  ],
  UnknownIdentifier: [
    404,
    'unknown-identifier',
    'Not found in this account; or no open account has the id in `X-Account-Id`.',
  ],
  UnsupportedMediaType: [
    415,
    'unsupported-media-type',
    'The body is not declared as `application/json`. Nothing was changed.',
  ],
  InternalError: [500, 'internal-error', 'A defect of the mock itself.'],
  TooManyAccounts: [
    503,
    'too-many-accounts',
    'The token is new, and the mock has the maximum number of open accounts.',
  ],
};

/** The common error responses, by the names under which the whole document has them. */
export function commonErrors(): Responses {
  const schema = { $ref: '#/components/schemas/Problem' };
  const described = Object.entries(COMMON_ERRORS).map(([name, [status, problem, description]]) => {
    const type = `urn:usage-billing-mock:problem:${problem}`;
    const example = { type, title: titleOf(problem), status, detail: description };
    return [name, { description, content: { 'application/problem+json': { schema, example } } }];
  });
  return Object.fromEntries(described);
}

/** The error responses of an operation that follow from who may call it, and from its body. */
export function errorsOf(operation: OpenAPIV3.OperationObject): Responses {
  const { operationId = '', security, requestBody } = operation;
  const isOnAccount = security?.length !== 0;
  return {
    400: refTo('InvalidRequest'),
    ...(isOnAccount && { 401: refTo('Unauthorized') }),
    ...(!(operationId in UNGUARDED) && { 403: refTo('Forbidden') }),
    ...(isOnAccount && { 404: refTo('UnknownIdentifier') }),
    ...(requestBody && { 413: refTo('ContentTooLarge'), 415: refTo('UnsupportedMediaType') }),
    500: refTo('InternalError'),
    ...(isOnAccount && { 503: refTo('TooManyAccounts') }),
  };
}

function refTo(name: string): OpenAPIV3.ReferenceObject {
  return { $ref: `#/components/responses/${name}` };
}
