import { isSecretName, REDACTED } from '../accounts/journal/redact-secrets.js';
import { cut } from '../messages/received-value.js';
import type { Call, Exchange } from './exchange.js';

const LONGEST = 60;

/** The path of each operation as evidence shows it: names and ids of customers are left out. */
const SHOWN: { readonly [Id in Call['operationId']]: (call: Call) => string } = {
  deleteContract: ({ path: { contractId } }) =>
    `DELETE /contracts/${cut(String(contractId), LONGEST)}`,
  getCustomerByName: () => 'GET /customers/name/{name}',
  getCustomer: () => 'GET /customers/{customerId}',
  listMeasurements: () => 'GET /measurements',
  deleteEventsByRefs: () => 'POST /events/delete-by-refs',
};

/** An exchange in one line without personal data, and what it told: `GET /measurements?limit=0 -> 400, refused`. */
export function describeExchange(exchange: Exchange, told?: string): string {
  const line = `${describeCall(exchange.call)} -> ${exchange.answer.status}`;
  return told === undefined ? line : `${line}, ${told}`;
}

/** A call in one line without personal data, its token included if it was not the given one. */
export function describeCall(call: Call): string {
  const token = TOKENS[call.token];
  return `${SHOWN[call.operationId](call)}${queryOf(call)}${token}`;
}

const TOKENS: { readonly [Token in Call['token']]: string } = {
  given: '',
  unknown: '',
  none: ' without a token',
  'made-up': ' with a made-up token',
};

function queryOf({ query }: Call): string {
  const shown = query.map(([name, value]) => {
    if (value !== '' && isSecretName(name)) return `${cut(name, LONGEST)}=${REDACTED}`;
    // A cursor may encode a record.
    const isCursor = name === 'cursor' && value !== '';
    return `${cut(name, LONGEST)}=${isCursor ? '…' : cut(value, LONGEST)}`;
  });
  return shown.length === 0 ? '' : `?${shown.join('&')}`;
}
