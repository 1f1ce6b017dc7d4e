import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { codeIn, tableOf, textOf } from '../support/pages.js';

const PAGE = 'docs/control-plane.md';
const server = await createMockServer({ dataset: 'demo' });

const rows = tableOf(PAGE, 'HTTP, below `/__control`');
/** The calls in the table that take a body. */
const calls = rows.flatMap(([route = '', body = '']) => {
  const [code] = codeIn(body);
  return code === undefined ? [] : [{ route: route.replaceAll('`', ''), body: code }];
});

describe(PAGE, () => {
  test('shows the body of a fault that is accepted', async () => {
    const [, fault = ''] = /-d '(.*)'/.exec(textOf(PAGE)) ?? [];
    expect((await controlOf(server).post('/faults', JSON.parse(fault))).status).toBe(201);
  });

  test('says something of every call', () => {
    expect(rows.filter(([, body, library]) => !body && !library)).toEqual([]);
  });

  test('shows a body for each call that takes one', async () => {
    const document = await server.fetch('/__control/control.openapi.json');
    const { paths } = (await document.json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { requestBody?: object }>>>>;
    };
    const taking = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, { requestBody }]) => requestBody)
        .map(([method]) => `${method.toUpperCase()} ${path.replace('/__control', '')}`),
    );
    expect(calls.map(({ route }) => route)).toEqual(taking);
  });

  test.each(calls)('shows a body with which $route works', async ({ route, body }) => {
    const account = `for-${route.replaceAll(/\W+/g, '-')}`;
    // A record is replaced at the id that it names; a change is of one that there is.
    const { id = server.account(account).customers.list()[0]?.id } = JSON.parse(body);
    const headers = { Authorization: `Bearer ${account}` };
    // Something to wait for: a deleted contract is not found again.
    const contract = server.account(account).contracts.list()[0]?.id;
    for (const _nth of [1, 2])
      await server.fetch(`/contracts/${contract}`, { method: 'DELETE', headers });
    const [method = '', path = ''] = route.split(' ');
    const url = `/__control${path.replace('{collection}', 'customers').replace('{id}', id)}`;
    const { status } = await server.fetch(url, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body,
    });
    expect([route, Math.floor(status / 100)]).toEqual([route, 2]);
  });
});
