// Code that users may write, and mistakes that the types must find.
import {
  type AccountControl,
  type Contract,
  type components,
  createMockServer,
  type Decisions,
  type FaultRequest,
  type MockServerOptions,
  type operations,
  type Problem,
  ProblemError,
  type paths,
  type Seen,
} from 'usage-billing-mock';

const seen: Seen = {
  host: 'api.example.com',
  at: '2026-10-01T12:00:00.000Z',
  evidence: ['POST /events/delete-by-refs -> 201'],
};

const options: MockServerOptions = {
  dataset: 'edge-cases',
  decisions: {
    'repeat-delete': 'gone',
    'rate-limit': '100/1m',
    'success-status': { value: 201, seen },
  },
  accounts: { 'token-b': { dataset: 'empty' } },
};

type Page = paths['/measurements']['get']['responses'][200]['content']['application/json'];
type Refs = operations['deleteEventsByRefs']['requestBody']['content']['application/json'];

export const page: Page = { measurements: [], total: 0, hasMore: false };
export const refs: Refs = { refs: ['acme-2026-03-31-001'] };

export async function useEverything(): Promise<readonly unknown[]> {
  const server = await createMockServer(options);
  const account: AccountControl = server.account('my-token');
  const contract: Contract | undefined = account.contracts.get('k1');
  const name: string | undefined = contract?.products?.[0]?.displayName;
  const fault: FaultRequest = { operationId: 'deleteContract', kind: 'reset', phase: 'after' };
  account.faults.add(fault);
  const total: number = account.journal.count({ operationId: 'listMeasurements' });
  const inForce: Decisions = account.decisions.inForce;
  const status: 200 | 201 | 202 = inForce['success-status'];
  const response: Response = await server.fetch('/measurements');
  const problem: Problem | components['schemas']['Problem'] = await response.json();
  const fetching: typeof fetch = server.fetch;
  return [name, total, status, problem, fetching];
}

export function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.problem === 'unauthorized';
}

/** Mistakes, none of which may compile. */
export async function makeMistakes(): Promise<void> {
  const server = await createMockServer({
    // @ts-expect-error
    ports: 4010,
  });
  await createMockServer({
    // @ts-expect-error
    decisions: { 'repeat-delete': 'maybe' },
  });
  const account = server.account('t');
  // @ts-expect-error
  account.faults.add({ kind: 'explode' });
  // @ts-expect-error
  account.faults.add({ kind: 'slow', delayMs: 5, phase: 'before' });
  // @ts-expect-error
  account.contracts.put({ name: 'without an id' });
  // @ts-expect-error
  account.journal.count({ operationId: 7 });
}

// @ts-expect-error
export type Nothing = paths['/nothing'];
