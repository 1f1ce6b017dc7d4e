import { STUB_METHODS, type StubRequest } from './stub.js';

/** The most stubs of one list. */
export const MOST_STUBS = 1_000;

const MEMBERS: Readonly<Record<keyof StubRequest, object>> = {
  method: { type: 'string', enum: STUB_METHODS },
  path: {
    type: 'string',
    maxLength: 2_000,
    description: 'The path, or a template such as `/invoices/{id}`.',
  },
  status: { type: 'integer', minimum: 200, maximum: 599, default: 200 },
  headers: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Header fields of the answer.',
  },
  body: {
    description:
      'A JSON value, or text with a Content-Type that is not JSON. Its strings may have placeholders such as {{path.id}}, {{query.page}}, {{body.user}} and {{token body.user}}.',
  },
  needsToken: {
    type: 'boolean',
    default: false,
    description: 'True to refuse a call without a valid token with 401.',
  },
};

/** The JSON Schema of a stub; `wrongStub` checks what it cannot say. */
export const STUB_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['method', 'path'],
  properties: MEMBERS,
};
