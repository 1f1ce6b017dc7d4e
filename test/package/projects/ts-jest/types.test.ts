// What the types of the package say, of which the compiler is the judge.
import {
  type Contract,
  createMockServer,
  type FaultRequest,
  type OperationBody,
  type OperationInput,
  type Strict,
} from 'usage-billing-mock';

// @ts-expect-error: a status is missing.
export const withoutStatus: FaultRequest = { kind: 'status' };
// @ts-expect-error: no delay is that of a reset.
export const withDelay: FaultRequest = { kind: 'reset', delayMs: 5 };

test('a fault has the members of its kind, and a limit its form', async () => {
  const server = await createMockServer({ decisions: { 'rate-limit': `${100}/1m` } });
  const { faults, decisions } = server.account('types');
  const lost: FaultRequest = { kind: 'reset', phase: 'after', operationId: 'deleteContract' };
  expect(faults.add(lost).kind).toBe('reset');
  faults.add({ kind: 'status', status: 503, times: 'always' });
  decisions.change({ 'rate-limit': 'unlimited', 'cursor-lifetime': '15m' });
  // @ts-expect-error: it is no limit.
  expect(() => decisions.change({ 'rate-limit': 'none' })).toThrow(
    'expected unlimited or a limit such as 100/1m',
  );
});

test('operations have their inputs and outputs, with all members where a test knows them', async () => {
  const server = await createMockServer();
  const headers = { Authorization: 'Bearer types', 'Content-Type': 'application/json' };
  const response = await server.fetch('/measurements?limit=1', { headers });
  const page: Strict<OperationBody<'listMeasurements'>, 'nextCursor'> = await response.json();
  const year: number = page.measurements[0].usageDate.year;
  expect(year).toBeGreaterThan(2000);

  const input: OperationInput<'deleteEventsByRefs'>['body'] = { refs: ['acme-2026-03-31-001'] };
  const init = { method: 'POST', headers, body: JSON.stringify(input) };
  expect((await server.fetch('/events/delete-by-refs', init)).status).toBe(200);

  const [contract] = server.account('types').contracts.list() as Strict<Contract>[];
  const name: string = contract.products[0].displayName;
  // @ts-expect-error: it may have been deleted or not.
  const deletedAt: string = contract.deletedAt;
  expect([typeof name, deletedAt]).toEqual(['string', undefined]);
});
