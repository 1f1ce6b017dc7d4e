import { writeFileSync } from 'node:fs';
import {
  createMockServer,
  InvalidInputError,
  type MockServer,
  OptionError,
} from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { until } from '../support/fetching.js';
import { writeFixture } from '../support/fixture.js';

const SEEN = {
  host: 'api.example.com',
  at: '2026-10-01T12:00:00.000Z',
  evidence: ['DELETE /contracts/k1 -> 200', 'DELETE /contracts/k1 -> 410'],
};
const GONE = { value: 'gone', seen: SEEN } as const;
const ROW = {
  behaviour: 'What does a second delete of a contract return? 410 Gone.',
  basis: 'seen',
  section: '3',
  decision: 'repeat-delete',
  value: 'gone',
  seen: SEEN,
};

/** A decision's row in the fidelity statement, which HTTP and the library must agree on. */
async function rowOf(server: MockServer, token = 't', decision = 'repeat-delete') {
  const { body } = await controlOf(server, token).get('/fidelity').expect(200);
  const rows = server.account(token).decisions.fidelity();
  expect(body).toEqual({ behaviours: rows });
  return rows.find((row) => row.decision === decision);
}

/** A fixture with this value of `repeat-delete`. */
function fixtureWith(value: unknown): string {
  return writeFixture(JSON.stringify({ decisions: { 'repeat-delete': value } }));
}

describe('a decision with where its value was seen', () => {
  test('has basis `seen` in the fidelity statement, the others `decided`', async () => {
    const server = await createMockServer({
      decisions: { 'repeat-delete': GONE, 'success-status': { value: 201 } },
    });
    expect(await rowOf(server)).toEqual(ROW);
    const { decisions } = server.account('t');
    expect(decisions.inForce).toMatchObject({ 'repeat-delete': 'gone', 'success-status': 201 });
    const rows = decisions.fidelity();
    expect(rows.filter(({ basis }) => basis === 'seen')).toHaveLength(1);
    expect(rows.find((row) => row.decision === 'success-status')).not.toHaveProperty('seen');
  });

  test.each([
    ['Nothing is `null`', { 'optional-fields': '/measurements/*/updatedAt=null' }],
    ['Nothing is `null`', { 'undocumented-fields': 'extra' }],
    ['`source` is `Api`', { 'enum-values': 'unfamiliar' }],
  ] as const)('is not contradicted by what the mock chose: %s', async (beginning, changes) => {
    const { decisions } = (await createMockServer()).account('t');
    const isSaid = () =>
      decisions.fidelity().some(({ behaviour }) => behaviour.startsWith(beginning));
    expect(isSaid()).toBe(true);
    decisions.change(changes);
    expect(isSaid()).toBe(false);
  });

  test('can be one of the whole server', async () => {
    const server = await createMockServer({
      decisions: { 'unauthorized-status': { value: 403, seen: SEEN } },
    });
    const row = await rowOf(server, 't', 'unauthorized-status');
    expect(row).toMatchObject({ basis: 'seen', value: '403', seen: SEEN });
    expect((await server.fetch('/measurements')).status).toBe(403);
  });

  test('can be given in a fixture, and in one that it extends', async () => {
    const base = fixtureWith(GONE);
    const server = await createMockServer({ dataset: writeFixture(`extends: ${base}`) });
    expect(await rowOf(server)).toEqual(ROW);
    const repeated = `extends: ${base}\ndecisions: { repeat-delete: gone }`;
    expect(await rowOf(await createMockServer({ dataset: writeFixture(repeated) }))).toEqual(ROW);
  });

  test('is decided here again once it is switched to another value, until a reset', async () => {
    const server = await createMockServer({ decisions: { 'repeat-delete': GONE } });
    const control = controlOf(server, 't');
    await control.patch('/decisions', { 'total-counts': 'page', 'repeat-delete': 'gone' });
    expect(await rowOf(server)).toEqual(ROW);
    await control.patch('/decisions', { 'repeat-delete': 'conflict' });
    expect(await rowOf(server)).toMatchObject({ basis: 'decided', value: 'conflict' });
    await control.patch('/decisions', { 'repeat-delete': 'gone' });
    expect(await rowOf(server)).toEqual(expect.not.objectContaining({ seen: SEEN }));
    expect(await rowOf(server, 'other')).toEqual(ROW);
    await control.post('/reset');
    expect(await rowOf(server)).toEqual(ROW);
  });

  test('is restored by a snapshot, value and all', async () => {
    const server = await createMockServer();
    const account = server.account('t');
    account.decisions.change({ 'repeat-delete': GONE });
    const saved = account.snapshot();
    account.decisions.change({ 'repeat-delete': 'same-result' });
    const state = account.exportState();
    account.restore(saved);
    account.importState(state);
    expect(await rowOf(server)).toEqual(ROW);
    account.reset();
    expect(await rowOf(server)).toMatchObject({ basis: 'decided', value: 'not-found' });
  });

  test('is accepted for one account, and answered with the plain value', async () => {
    const server = await createMockServer();
    const control = controlOf(server);
    const response = await control.patch('/decisions', { 'repeat-delete': GONE }).expect(200);
    expect(response.body['repeat-delete']).toBe('gone');
    expect((await control.get('/decisions')).body).toEqual(response.body);
    expect(await rowOf(server, control.token)).toEqual(ROW);
    await control.service.delete('/contracts/65b000000000000000000001');
    const again = await control.service.delete('/contracts/65b000000000000000000001');
    expect(again.status).toBe(410);
  });

  test('does not follow later changes of the given object', async () => {
    const seen = { ...SEEN, evidence: [...SEEN.evidence] };
    const server = await createMockServer({ decisions: { 'repeat-delete': { ...GONE, seen } } });
    seen.evidence.push('something else');
    expect(await rowOf(server)).toEqual(ROW);
  });

  test('is read again with a watched fixture, though only where it was seen has changed', async () => {
    const file = fixtureWith('gone');
    const server = await createMockServer({ dataset: file, watch: true });
    expect(await rowOf(server)).toMatchObject({ basis: 'decided' });
    await server.start();
    writeFileSync(file, JSON.stringify({ decisions: { 'repeat-delete': GONE } }));
    const rows = () => server.account('t').decisions.fidelity();
    await until(() => rows().some(({ basis }) => basis === 'seen'));
    await server.stop();
    expect(await rowOf(server)).toEqual(ROW);
  });
});

const seen = await createMockServer({ dataset: 'empty', decisions: { 'repeat-delete': GONE } });
const LONG = 'x'.repeat(501);

/** A value of `repeat-delete`, the wrong member, and the error. */
const MISTAKES: readonly (readonly [given: unknown, member: string, words: string])[] = [
  [{ ...GONE, sen: 1 }, '/sen', `repeat-delete'. Did you mean 'seen'?`],
  [{ seen: SEEN }, '', "expected the member 'value'"],
  [
    { ...GONE, value: 'Gone' },
    '/value',
    `is "Gone"; expected one of not-found, same-result, gone, conflict. Did you mean 'gone'?`,
  ],
  [
    { value: { value: 'gone' } },
    '/value',
    'expected one of not-found, same-result, gone, conflict',
  ],
  [
    { ...GONE, seen: 'api' },
    '/seen',
    `repeat-delete/seen' is "api"; expected an object with host, at, evidence`,
  ],
  [
    { ...GONE, seen: null },
    '/seen',
    `repeat-delete/seen' is null; expected an object with host, at, evidence`,
  ],
  [{ ...GONE, seen: { ...SEEN, hots: 'x' } }, '/seen/hots', "Did you mean 'host'?"],
  [{ ...GONE, seen: { ...SEEN, at: undefined } }, '/seen', "expected the member 'at'"],
  [{ ...GONE, seen: { ...SEEN, at: '2026-10-01' } }, '/seen/at', 'expected a date-time such as 20'],
  [{ ...GONE, seen: { ...SEEN, at: '2026-02-30T12:00:00Z' } }, '/seen/at', 'date-time such as'],
  [{ ...GONE, seen: { ...SEEN, host: '' } }, '/seen/host', 'a line of 1 to 500 characters'],
  [{ ...GONE, seen: { ...SEEN, host: 'a\u001b[2J' } }, '/seen/host', 'a line of 1 to 500'],
  [{ ...GONE, seen: { ...SEEN, evidence: 'GET /' } }, '/seen/evidence', 'a list of 1 to 20 texts'],
  [{ ...GONE, seen: { ...SEEN, evidence: [] } }, '/seen/evidence', 'a list of 1 to 20 texts'],
  [
    { ...GONE, seen: { ...SEEN, evidence: ['a', LONG] } },
    '/seen/evidence',
    'each a line of 1 to 500',
  ],
  [
    { ...GONE, seen: { ...SEEN, evidence: Array(21).fill('a') } },
    '/seen/evidence',
    '1 to 20 texts',
  ],
];

describe('where a value was seen, with a mistake', () => {
  test.each(MISTAKES)('%j is refused at %j, and nothing changes', async (given, member, words) => {
    const control = controlOf(seen);
    const { status, body } = await control.patch('/decisions', { 'repeat-delete': given });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ in: 'body', pointer: `/repeat-delete${member}` }]);
    expect(body.detail).toContain(words);
    expect(seen.account(control.token).decisions.inForce['repeat-delete']).toBe('gone');
  });

  test('is refused by the library, as an option too', async () => {
    const decisions = { 'repeat-delete': { ...GONE, seen: { ...SEEN, hots: 'x' } } };
    const words = /'hots' in '.*repeat-delete\/seen'\. Did you mean 'host'\?/;
    const refusal = await createMockServer({ decisions }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(OptionError);
    expect((refusal as OptionError).message).toMatch(words);
    const refused = () => seen.account('t').decisions.change(decisions);
    expect(refused).toThrow(InvalidInputError);
    expect(refused).toThrow(words);
  });

  test('is refused in a fixture, every mistake with its line', async () => {
    const file = writeFixture(
      'decisions:\n  repeat-delete:\n    valeu: gone\n    seen:\n      host: api\n      at: today\n',
    );
    const refusal = await createMockServer({ dataset: file }).catch((error: Error) => error);
    const lines = (refusal as Error).message.replaceAll(file, '').split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^:2:3 'decisions\/repeat-delete' is .*; expected the member 'value'/),
      expect.stringMatching(
        /^:3:5 Unknown member 'valeu' in 'decisions\/repeat-delete'\. Did you mean 'value'\?/,
      ),
      expect.stringMatching(
        /^:4:5 'decisions\/repeat-delete\/seen' is .*; expected the member 'evidence'/,
      ),
      expect.stringMatching(
        /^:6:7 'decisions\/repeat-delete\/seen\/at' is .*; expected a date-time/,
      ),
    ]);
  });
});
