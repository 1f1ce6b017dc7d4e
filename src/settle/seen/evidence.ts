import { isSecretName, REDACTED } from '../../accounts/journal/redact-secrets.js';
import { cut } from '../../values/received-value.js';
import type { Sample, SampleRequest } from './samples.js';

const LONGEST = 60;

/** The path of each operation as evidence shows it: names and ids of customers are left out. */
const SHOWN: { readonly [Id in SampleRequest['operationId']]: (request: SampleRequest) => string } =
  {
    deleteContract: ({ path: { contractId } }) =>
      `DELETE /contracts/${cut(String(contractId), LONGEST)}`,
    getCustomerByName: () => 'GET /customers/name/{name}',
    getCustomer: () => 'GET /customers/{customerId}',
    listMeasurements: () => 'GET /measurements',
    deleteEventsByRefs: () => 'POST /events/delete-by-refs',
  };

const TOKENS: Readonly<Record<SampleRequest['token'], string>> = {
  given: '',
  unknown: '',
  none: ' without a token',
  'made-up': ' with a made-up token',
};

/** A sample in one line without personal data, and what it told: `GET /measurements?limit=0 -> 400, refused`. */
export function describeSample({ request, response }: Sample, told?: string): string {
  const line = `${describeRequest(request)} -> ${response.status}`;
  return told === undefined ? line : `${line}, ${told}`;
}

/** A request in one line without personal data, its token included if it was not the given one. */
export function describeRequest(request: SampleRequest): string {
  const query = request.query.map(([name, value]) => {
    const parameter = cut(name, LONGEST);
    if (value !== '' && isSecretName(name)) return `${parameter}=${REDACTED}`;
    // A cursor may encode a record.
    const isCursor = name === 'cursor' && value !== '';
    return `${parameter}=${isCursor ? '…' : cut(value, LONGEST)}`;
  });
  const shown = query.length === 0 ? '' : `?${query.join('&')}`;
  return `${SHOWN[request.operationId](request)}${shown}${TOKENS[request.token]}`;
}
