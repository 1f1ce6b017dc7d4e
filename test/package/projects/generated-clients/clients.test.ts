// Clients that three generators make from the packed document: each arranges a fault, switches a
// decision and lists what was received, by types that a strict compiler accepts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import createFetchClient from 'openapi-fetch';
import { createMockServer } from 'usage-billing-mock';
import { Api } from './generated/Api.js';
import { createClient } from './generated/hey-api/client/index.js';
import * as heyApi from './generated/hey-api/sdk.gen.js';
import type { paths } from './generated/paths.js';

const server = await createMockServer();
before(() => server.start());
after(() => server.stop());

/** What a client has done. */
interface Outcome {
  readonly fault: string | undefined;
  readonly decision: unknown;
  readonly paths: readonly string[] | undefined;
}

/** Calls the service once, between the fault and the listing. */
const call = (token: string) =>
  fetch(`${server.url}/customers/c1`, { headers: { Authorization: `Bearer ${token}` } });

const CLIENTS: Readonly<Record<string, (token: string) => Promise<Outcome>>> = {
  async 'openapi-typescript'(token) {
    const headers = { Authorization: `Bearer ${token}` };
    const client = createFetchClient<paths>({ baseUrl: `${server.url}/__control`, headers });
    const fault = await client.POST('/faults', { body: { kind: 'status', status: 503 } });
    const decisions = await client.PATCH('/decisions', { body: { 'repeat-delete': 'gone' } });
    await call(token);
    const listed = await client.GET('/requests');
    return {
      fault: fault.data?.explanation,
      decision: decisions.data?.['repeat-delete'],
      paths: listed.data?.requests.map(({ path }) => path),
    };
  },
  async 'hey-api'(token) {
    // It would send a plain token in every header that names an account.
    const auth = ({ scheme }: { readonly scheme?: string }) =>
      scheme === 'bearer' ? token : undefined;
    const client = createClient({ baseUrl: `${server.url}/__control`, auth });
    const fault = await heyApi.addFault({ client, body: { kind: 'status', status: 503 } });
    const body = { 'repeat-delete': 'gone' };
    const decisions = await heyApi.patchDecisions({ client, body });
    await call(token);
    const listed = await heyApi.listRequests({ client });
    return {
      fault: fault.data?.explanation,
      decision: decisions.data?.['repeat-delete'],
      paths: listed.data?.requests.map(({ path }) => path),
    };
  },
  async 'swagger-typescript-api'(token) {
    const headers = { Authorization: `Bearer ${token}` };
    const client = new Api({ baseUrl: `${server.url}/__control`, baseApiParams: { headers } });
    const fault = await client.faults.addFault({ kind: 'status', status: 503 });
    const decisions = await client.decisions.patchDecisions({ 'repeat-delete': 'gone' });
    await call(token);
    const listed = await client.requests.listRequests({});
    return {
      fault: fault.data.explanation,
      decision: decisions.data['repeat-delete'],
      paths: listed.data.requests.map(({ path }) => path),
    };
  },
};

for (const [generator, use] of Object.entries(CLIENTS)) {
  test(`a client by ${generator} adds a fault, switches a decision and lists the requests`, async () => {
    const { fault, ...done } = await use(`by-${generator}`);
    assert.match(fault ?? '', /^Answers 503/);
    assert.deepEqual(done, { decision: 'gone', paths: ['/customers/c1'] });
  });
}
