import type { OperationId } from '../billing/operation.js';
import { isObject } from '../messages/is-object.js';
import { followReference } from '../openapi/references.js';
import { METHODS, type OpenApiDocument } from '../openapi/route-table.js';
import { isOfAccount } from './account-calls.js';
import { type Exchange, successBody } from './exchange.js';
import type { Seen } from './observation.js';
import { createPlace, type Place, walk } from './places.js';

/** A member that the document lists for a part of an answer. */
export interface Member {
  /** Where it is, `*` for the items of a list: `/contacts/*`+`/email`. */
  readonly pointer: string;
  readonly isPresent: boolean;
}

/** A record of an answer: what the envelope has, or an item of a list in it. */
export interface SeenRecord {
  readonly exchange: Exchange;
  /** The member of the envelope: `customer`, `measurements`. */
  readonly envelope: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** As if the record were the whole answer. */
  readonly place: Place;
}

/** Every record of every success of the account, as often as it was seen. */
export function recordsOf({ exchanges, document }: Seen): readonly SeenRecord[] {
  return exchanges.filter(isOfAccount).flatMap((exchange) => {
    const body = successBody(exchange);
    if (!body) return [];
    const answer = successPlaceOf(exchange.call.operationId, document);
    return answer.listed.flatMap((envelope) => {
      const value = body[envelope];
      const items = Array.isArray(value) ? value : [value];
      const member = answer.below(envelope);
      const place = createPlace((member?.below('0') ?? member)?.schema, document);
      return items.filter(isObject).map((record) => ({ exchange, envelope, value: record, place }));
    });
  });
}

/** The members that the document lists for a value, within objects and lists as well. */
export function membersOf(whole: unknown, wholePlace: Place): readonly Member[] {
  const members: Member[] = [];
  walk(wholePlace, whole, ({ place, value }) => {
    if (!isObject(value)) return;
    for (const name of place.listed) {
      const { pointer = '' } = place.below(name) ?? {};
      members.push({ pointer, isPresent: Object.hasOwn(value, name) });
    }
  });
  return members;
}

/** The place of an operation's success, whichever status it has. */
export function successPlaceOf(operationId: OperationId, document: OpenApiDocument): Place {
  const responses = Object.entries(operationOf(operationId, document)?.responses ?? {});
  const success = responses.find(([status]) => Number(status) < 300)?.[1];
  const answer = followReference(success, document);
  return createPlace(answer?.content?.['application/json']?.schema, document);
}

/** The members that the document lists for the body of an operation's request. */
export function requestMembersOf(
  operationId: OperationId,
  document: OpenApiDocument,
): readonly string[] {
  const body = followReference(operationOf(operationId, document)?.requestBody, document);
  return createPlace(body?.content?.['application/json']?.schema, document).listed;
}

function operationOf(operationId: OperationId, document: OpenApiDocument) {
  return Object.values(document.paths)
    .flatMap((item) => METHODS.map((method) => item?.[method]))
    .find((operation) => operation?.operationId === operationId);
}
