import type { OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import type { OperationId } from '../billing/operation.js';
import { memberOf } from '../errors/json-pointer.js';
import { followReference } from '../openapi/references.js';
import type { OpenApiDocument } from '../openapi/route-table.js';
import { METHODS } from '../openapi/route-table.js';
import { isOfAccount } from './account-calls.js';
import { type Exchange, isObject, successBody } from './exchange.js';
import type { Seen } from './observation.js';

type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject | undefined;

/** A member of an answer: one that the document lists, or one that was received. */
export interface Member {
  /** Where it is, `*` for the items of a list: `/contacts/*`+`/email`. */
  readonly pointer: string;
  readonly isListed: boolean;
  readonly isPresent: boolean;
}

/** A record of an answer: what the envelope has, or an item of a list in it. */
export interface SeenRecord {
  readonly exchange: Exchange;
  /** The member of the envelope: `customer`, `measurements`. */
  readonly envelope: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly schema: Schema;
}

/** Every record of every success of the account, as often as it was seen. */
export function recordsOf({ exchanges, document }: Seen): readonly SeenRecord[] {
  return exchanges.filter(isOfAccount).flatMap((exchange) => {
    const schema = successSchemaOf(exchange.call.operationId, document);
    const body = successBody(exchange);
    if (!body) return [];
    return Object.entries(propertiesOf(schema, document)).flatMap(([envelope, member]) => {
      const value = body[envelope];
      const items = Array.isArray(value) ? value : [value];
      const itemSchema = followReference(itemSchemaOf(member, document) ?? member, document);
      return items
        .filter(isObject)
        .map((record) => ({ exchange, envelope, value: record, schema: itemSchema }));
    });
  });
}

/** The members of a value: all that its schema lists and all that it has, within objects as well. */
export function membersOf(
  value: unknown,
  schema: Schema,
  document: OpenApiDocument,
): readonly Member[] {
  const members: Member[] = [];
  // A listing has ten thousand records: nothing is built for a member without members.
  function addMembers(within: unknown, given: Schema, pointer: string): void {
    if (typeof within !== 'object' || within === null) return;
    if (Array.isArray(within)) {
      const items = followReference(itemSchemaOf(given, document), document);
      for (const item of within) addMembers(item, items, `${pointer}/*`);
      return;
    }
    const properties = propertiesOf(given, document);
    const listed = Object.keys(properties);
    // What lists no members is a free map, or no object.
    if (listed.length === 0) return;
    for (const name of new Set([...listed, ...Object.keys(within)])) {
      const isListed = Object.hasOwn(properties, name);
      const place = `${pointer}/${name}`;
      members.push({ pointer: place, isListed, isPresent: Object.hasOwn(within, name) });
      if (isListed) addMembers(memberOf(within, name), properties[name], place);
    }
  }
  addMembers(value, schema, '');
  return members;
}

/** The schema of an operation's success. */
export function successSchemaOf(operationId: OperationId, document: OpenApiDocument): Schema {
  const responses = Object.entries(operationOf(operationId, document)?.responses ?? {});
  const success = responses.find(([status]) => Number(status) < 300)?.[1];
  return followReference(success, document)?.content?.['application/json']?.schema;
}

/** The members that the document lists for the body of an operation's request. */
export function requestMembersOf(
  operationId: OperationId,
  document: OpenApiDocument,
): readonly string[] {
  const body = followReference(operationOf(operationId, document)?.requestBody, document);
  return Object.keys(propertiesOf(body?.content?.['application/json']?.schema, document));
}

function operationOf(operationId: OperationId, document: OpenApiDocument) {
  return Object.values(document.paths)
    .flatMap((item) => METHODS.map((method) => item?.[method]))
    .find((operation) => operation?.operationId === operationId);
}

function propertiesOf(schema: Schema, document: OpenApiDocument) {
  return followReference(schema, document)?.properties ?? {};
}

function itemSchemaOf(schema: Schema, document: OpenApiDocument): Schema {
  const followed = followReference(schema, document);
  return followed && 'items' in followed ? followed.items : undefined;
}
