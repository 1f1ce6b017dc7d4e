import type { components, paths } from 'usage-billing-mock';

export type Customer = components['schemas']['Customer'];
export type PageOfMeasurements =
  paths['/measurements']['get']['responses'][200]['content']['application/json'];

/** Calls the service: in development, the mock that the dev server serves. */
async function call<Body>(path: string, init: RequestInit = {}): Promise<Body> {
  const headers = { Authorization: 'Bearer my-token', 'Content-Type': 'application/json' };
  const response = await fetch(`/billing${path}`, { ...init, headers });
  const body = await response.json();
  if (!response.ok) throw new Error(body.detail);
  return body;
}

export async function findCustomer(name: string): Promise<Customer> {
  const path = `/customers/name/${encodeURIComponent(name)}`;
  return (await call<{ customer: Customer }>(path)).customer;
}

export function listMeasurements(
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<PageOfMeasurements> {
  const query = new URLSearchParams({ limit: '5', ...(cursor && { cursor }) });
  return call(`/measurements?${query}`, { signal });
}

export async function deleteEvents(refs: readonly string[]): Promise<number> {
  const body = JSON.stringify({ refs });
  const path = '/events/delete-by-refs';
  return (await call<{ events: unknown[] }>(path, { method: 'POST', body })).events.length;
}
