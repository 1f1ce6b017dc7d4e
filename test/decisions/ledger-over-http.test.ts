import { LEDGER } from '../../src/core/decisions/ledger.js';
import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';

const server = await createMockServer({ dataset: 'empty' });

interface Row {
  readonly id: string;
  readonly section: string;
  readonly default: unknown;
  readonly value: unknown;
  readonly values: { readonly value: string | number; readonly meaning: string }[];
  readonly isServerWide: boolean;
}

test('GET /__control/ledger has every decision with its question, values and value in force', async () => {
  const control = controlOf(server);
  await control.patch('/decisions', { 'repeat-delete': 'gone' });
  const { status, body } = await control.get('/ledger');
  expect(status).toBe(200);
  const rows: Row[] = body.decisions;
  expect(rows.map(({ id }) => id)).toEqual(Object.keys(LEDGER));
  expect(rows.find(({ id }) => id === 'repeat-delete')).toMatchObject({
    question: 'What does a second delete of a contract return?',
    section: '3',
    default: 'not-found',
    value: 'gone',
    isServerWide: false,
  });
  expect(rows.filter(({ isServerWide }) => isServerWide).map(({ id }) => id)).toEqual(
    expect.arrayContaining(['unauthorized-status', 'unknown-token']),
  );
});

test('every decision names its section of the specification, and says what each value means', async () => {
  const rows: Row[] = (await controlOf(server).get('/ledger')).body.decisions;
  for (const { id, section, values } of rows) {
    for (const { value, meaning } of values) {
      expect([id, value, meaning]).toEqual([id, value, expect.stringMatching(/\w\W*\.$/)]);
    }
    expect([id, section]).toEqual([id, expect.stringMatching(/^\d(\.\d)?$/)]);
  }
});

test('every value of GET /__control/ledger can be put in force', async () => {
  const control = controlOf(server);
  const rows: Row[] = (await control.get('/ledger')).body.decisions;
  for (const { id, values, isServerWide, ...row } of rows) {
    expect(values.map(({ value }) => value)).toContain(row.default);
    if (isServerWide) continue;
    for (const { value } of values) {
      const { status, body } = await control.patch('/decisions', { [id]: value });
      expect([id, status, body[id]]).toEqual([id, 200, value]);
    }
    await control.patch('/decisions', { [id]: row.default });
  }
});

test('GET /__control/requests/{id} has one request, and an archive of it alone', async () => {
  const control = controlOf(server);
  await control.service.get('/measurements');
  await control.service.get('/customers/nobody');
  const { body } = await control.get('/requests');
  expect((await control.get('/requests/2')).body).toEqual(body.requests[1]);
  const har = await control.get('/requests/2/har');
  expect(har.body.log.entries).toMatchObject([{ _id: 2, response: { status: 404 } }]);
  expect((await control.get('/requests/3')).status).toBe(404);
  expect((await control.get('/requests/two')).status).toBe(400);
});
