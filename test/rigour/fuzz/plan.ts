import fc from 'fast-check';
import { arrangedCalls, oddlyNamed } from './arranged-calls.js';
import { bodyOf, headerFields, pathOf, queryOf } from './call-parts.js';
import { CODINGS } from './coded-body.js';
import { CONTROL_OPERATIONS, type Operation, SERVICE_OPERATIONS } from './documents.js';
import { listed } from './listed.js';
import { longCalls } from './long-values.js';
import { ACTORS, type Actor, type PlannedCall } from './planned-call.js';

/** The calls of a case: one after the other, or all at once. */
export interface Plan {
  readonly isBurst: boolean;
  readonly calls: readonly PlannedCall[];
}

/** A path that is none of the documents', which a stub may answer. */
const BESIDE: Operation = {
  operationId: 'beside',
  method: 'GET',
  path: '/invoices/{id}',
  parameters: [{ name: 'id', in: 'path', schema: { type: 'string' } }],
};

const TOP: readonly Operation[] = ['/', '/__control', '/__control/ui', '/__control/nothing'].map(
  (path) => ({ operationId: 'none', method: 'GET', path, parameters: [] }),
);

/** What others may do to every account at once: rarely, or nothing else would be seen. */
const RARE = ['closeAllAccounts', 'resetAllAccounts', 'closeAccount', 'resetAccount', 'putState'];

export function plans(): fc.Arbitrary<Plan> {
  return fc.record({
    isBurst: fc.constantFrom(false, false, false, false, false, true),
    calls: fc
      .tuple(
        arrangedCalls(),
        oddlyNamed(),
        longCalls(),
        fc.array(plannedCalls(), { minLength: 1, maxLength: 12, size: 'max' }),
      )
      .map((parts) => parts.flat()),
  });
}

function plannedCalls(): fc.Arbitrary<PlannedCall> {
  const of = (operations: readonly Operation[]) =>
    operations.map((operation) => ({ weight: 1, arbitrary: callOf(operation) }));
  const isRare = ({ operationId }: Operation) => RARE.includes(operationId);
  return fc.oneof(
    { weight: 30, arbitrary: fc.oneof(...of(SERVICE_OPERATIONS)) },
    { weight: 60, arbitrary: fc.oneof(...of(CONTROL_OPERATIONS.filter((one) => !isRare(one)))) },
    { weight: 3, arbitrary: fc.oneof(...of(CONTROL_OPERATIONS.filter(isRare))) },
    {
      weight: 4,
      arbitrary: fc.oneof(
        ...of([BESIDE, { ...BESIDE, path: '/login', parameters: [], method: 'POST' }]),
      ),
    },
    { weight: 2, arbitrary: fc.oneof(...of(TOP)) },
  );
}

const METHOD = fc.constantFrom(
  ...listed('HEAD | OPTIONS | POST | PUT | DELETE | PATCH | GET | TRACE | QUERY'),
);

function callOf(operation: Operation): fc.Arbitrary<PlannedCall> {
  const { method, body } = operation;
  return fc.record(
    {
      operation: fc.constant(operation),
      actor: fc.oneof(
        { weight: 12, arbitrary: fc.constant<Actor>('token') },
        { weight: 2, arbitrary: fc.constant<Actor>('id') },
        fc.constantFrom(...ACTORS),
      ),
      method: fc.oneof({ weight: 20, arbitrary: fc.constant(method) }, METHOD),
      path: pathOf(operation),
      query: queryOf(operation),
      headers: headerFields(),
      body: bodyOf(body),
      coding: fc.oneof({ weight: 24, arbitrary: fc.constant(undefined) }, CODINGS),
    },
    { noNullPrototype: true },
  );
}
