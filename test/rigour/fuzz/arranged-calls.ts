import fc from 'fast-check';
import { encoded } from './call-parts.js';
import { CONTROL_OPERATIONS, SERVICE_OPERATIONS } from './documents.js';
import { ARRANGED } from './known.js';
import { ODD_TEXTS } from './odd-values.js';
import type { PlannedCall } from './planned-call.js';

/** What a case begins with: some of what others then meet. */
export function arrangedCalls(): fc.Arbitrary<PlannedCall[]> {
  return fc.subarray(ARRANGED.map(([operationId, id, body]) => controlCall(operationId, id, body)));
}

/**
 * A customer with an unusual name, asked for by it and listed: both have to meet, which they hardly
 * do where each is drawn for itself.
 */
export function oddlyNamed(): fc.Arbitrary<PlannedCall[]> {
  const both = fc.constantFrom(...ODD_TEXTS).map((name) => [
    controlCall('PUT /__control/customers/{id}', 'c2', {
      name,
      aliases: [name],
      externalId: name,
    }),
    serviceCall('getCustomerByName', name),
    serviceCall('getCustomer', name),
  ]);
  return fc.oneof({ weight: 2, arbitrary: fc.constant<PlannedCall[]>([]) }, both);
}

/** A call of an operation of the control plane, with an id in its path. */
export function controlCall(name: string, id: string, body?: object): PlannedCall {
  const operation = operationOf(name);
  const { method } = operation;
  const path = operation.path.replace('{id}', id);
  const call = { operation, actor: 'token', method, path, query: '', headers: {} } as const;
  return body === undefined ? call : { ...call, body: JSON.stringify(body) };
}

/** A call of an operation of the service, with a value in its path. */
export function serviceCall(operationId: string, value: string): PlannedCall {
  const operation = operationOf(operationId);
  const { method } = operation;
  const path = operation.path.replace(/\{\w+\}/, () => encoded(value));
  return { operation, actor: 'token', method, path, query: '', headers: {} };
}

/** The operation of an id, or of a method and path. */
function operationOf(name: string) {
  const all = [...SERVICE_OPERATIONS, ...CONTROL_OPERATIONS];
  const operation = all.find((one) =>
    [one.operationId, `${one.method} ${one.path}`].includes(name),
  );
  if (!operation) throw new Error(`The documents have no operation ${name}.`);
  return operation;
}
