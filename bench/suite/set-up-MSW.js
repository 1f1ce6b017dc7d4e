// What a good team writes by hand for its tests: handlers over plain maps, new for each test.
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { fixtures } from './fixtures.js';

export const mock = { url: 'https://billing.test', token: 'test-token' };

const customersById = new Map(fixtures.customers.map((customer) => [customer.id, customer]));
const customersByName = new Map(fixtures.customers.map((customer) => [customer.name, customer]));
let contracts;
let events;

const notFound = () => HttpResponse.json({ detail: 'Not found' }, { status: 404 });

const server = setupServer(
  http.get(`${mock.url}/customers/name/:name`, ({ params }) => {
    const customer = customersByName.get(params.name);
    return customer ? HttpResponse.json({ customer }) : notFound();
  }),
  http.get(`${mock.url}/customers/:id`, ({ params }) => {
    const customer = customersById.get(params.id);
    return customer ? HttpResponse.json({ customer }) : notFound();
  }),
  http.get(`${mock.url}/measurements`, ({ request }) => {
    const query = new URL(request.url).searchParams;
    const start = Number(query.get('cursor') ?? 0);
    const end = start + Number(query.get('limit') ?? 10);
    const total = fixtures.measurements.length;
    return HttpResponse.json({
      measurements: fixtures.measurements.slice(start, end),
      total,
      hasMore: end < total,
      ...(end < total && { nextCursor: String(end) }),
    });
  }),
  http.delete(`${mock.url}/contracts/:id`, ({ params }) => {
    const contract = contracts.get(params.id);
    if (!contract) return notFound();
    contracts.delete(contract.id);
    return HttpResponse.json({ contract: { ...contract, deletedAt: new Date().toISOString() } });
  }),
  http.post(`${mock.url}/events/delete-by-refs`, async ({ request }) => {
    const { refs } = await request.json();
    const deletedAt = new Date().toISOString();
    const deleted = refs.flatMap((ref) => events.get(ref) ?? []);
    for (const ref of refs) events.delete(ref);
    return HttpResponse.json({ events: deleted.map((event) => ({ ...event, deletedAt })) });
  }),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  contracts = new Map(fixtures.contracts.map((contract) => [contract.id, contract]));
  events = new Map();
  for (const event of fixtures.events) {
    events.set(event.ref, [...(events.get(event.ref) ?? []), event]);
  }
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());
