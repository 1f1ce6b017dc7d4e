import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { fetchAs, until } from '../support/fetching.js';

const server = await createMockServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const { schemas } = parse(readFileSync('control.openapi.yaml', 'utf8')).components;
const kinds: object = schemas.FaultOfKind.discriminator.mapping;
const members: readonly string[] = Object.values(kinds).flatMap((ref: string) =>
  Object.keys(schemas[ref.split('/').at(-1) ?? ''].properties),
);

/** The cells of the table of kinds, row by row. */
const rows = (readFileSync('docs/faults.md', 'utf8').split('## Kinds')[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', own = '', example = '', fetched = '']) => ({
    kind: name.replaceAll('`', ''),
    own,
    // Of a row without an example, a test below says the kind.
    body: JSON.parse(example.replaceAll('`', '') || '{}'),
    fetched,
  }));

describe('docs/faults.md', () => {
  test('names every member of the document', () => {
    const page = readFileSync('docs/faults.md', 'utf8');
    for (const name of new Set(members)) expect(page).toContain(`\`${name}\``);
  });

  test.each(rows)('has an example of $kind that is accepted, and its members', async (row) => {
    const { post } = controlOf(server);
    expect(row.body.kind).toBe(row.kind);
    expect((await post('/faults', row.body)).status).toBe(201);
    for (const [name, value] of Object.entries({ status: 503, retryAfterS: 1, delayMs: 1 })) {
      const { status } = await post('/faults', { ...row.body, [name]: value });
      expect([name, status]).toEqual([name, row.own.includes(`\`${name}\``) ? 201 : 400]);
    }
  });

  test.each(rows)('says what the fetch of Node sees of $kind', async ({ body, fetched }) => {
    const { token, post } = controlOf(server);
    await post('/faults', { ...body, operationId: 'getCustomer', skip: 0 });
    const call = fetchAs(server, token, '/customers/65a000000000000000000001');
    if (body.kind === 'hold') {
      const { faults } = server.account(token);
      await until(() => faults.list()[0]?.fired === 1);
      faults.clear();
    }
    const seen = await call;
    const facts = [
      ...(seen.status === undefined ? [] : [`status ${seen.status}`]),
      ...(seen.failure?.split(': ') ?? []),
    ];
    for (const fact of facts) expect(fetched).toContain(fact);
    expect(fetched.includes('TypeError')).toBe(seen.failure !== undefined);
    expect(fetched.includes('pieces')).toBe(seen.pieces > 2);
  });
});
