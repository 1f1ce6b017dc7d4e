import request from 'supertest';
import { createMockServer } from '../../src/index.js';
import { writeFixture } from '../support/fixture.js';

const LOGIN = `
stubs:
  - { method: POST, path: /login, body: { token: "{{token body.user}}" } }
  - { method: GET, path: /version, body: "1" }
`;

describe('stubs of a fixture', () => {
  test('answer every caller', async () => {
    const server = await createMockServer({ dataset: writeFixture(LOGIN) });
    const response = await request(server.app).post('/login').send({ user: 'robin' });
    expect(response.body.token).toMatch(/^eyJ/);
    expect(server.stubs.list().map(({ id, path }) => `${id} ${path}`)).toEqual([
      '1 /login',
      '2 /version',
    ]);
  });

  test('are inherited, replaced by the same method and path, and by the option', async () => {
    writeFixture(LOGIN, 'stubs-base.yaml');
    const dataset = writeFixture(
      'extends: ./stubs-base.yaml\nstubs: [{ method: GET, path: /version, body: "2" }, { method: GET, path: /me }]',
    );
    const server = await createMockServer({ dataset });
    expect((await request(server.app).get('/version')).body).toBe('2');
    expect(server.stubs.list()).toHaveLength(3);
    const stubs = [{ method: 'GET', path: '/version', body: '3' }] as const;
    const other = await createMockServer({ dataset, stubs });
    expect((await request(other.app).get('/version')).body).toBe('3');
    expect(other.stubs.list()).toHaveLength(3);
  });

  test('leave records, ids and cursors as they are', async () => {
    const records = 'customers: [{ name: Initech }]\n';
    const plain = await createMockServer({ dataset: writeFixture(records) });
    const stubbed = await createMockServer({ dataset: writeFixture(records + LOGIN) });
    expect(stubbed.dataset.fingerprint).toBe(plain.dataset.fingerprint);
  });

  test('have every mistake reported with its line', async () => {
    const file = writeFixture(
      `stubs:
  - { method: GET, path: /measurements }
  - { method: get, path: /a }
  - { method: GET, path: /b, boddy: 1 }
  - method: GET
    path: /c/{id}
    headers: { X-Id: "{{path.number}}" }
  - { method: GET, path: "/c/{other}" }
  - { method: GET, path: /d, needsToken: "yes" }
  - just text
`,
    );
    const message = await createMockServer({ dataset: file }).then(String, String);
    const lines = message.split('\n').map((line) => line.replace(`${file}:`, ''));
    expect(lines.map((line) => line.replace('FixtureError: ', ''))).toEqual([
      expect.stringMatching(
        /^2:20 'stubs\/0\/path' is .*; expected a call that no operation answers\. A stub cannot replace GET \/measurements \(listMeasurements\)\./,
      ),
      expect.stringMatching(
        /^3:7 'stubs\/1\/method' is .*; expected one of .* Did you mean 'GET'\?/,
      ),
      expect.stringMatching(/^4:30 Unknown member 'boddy' in 'stubs\/2'\. Did you mean 'body'\?/),
      expect.stringMatching(
        /^7:16 'stubs\/3\/headers\/X-Id' is .*; expected a parameter of the path: id\./,
      ),
      expect.stringMatching(
        /^8:20 'stubs\/4\/path' is .*; expected another method or path: stubs\/3 has GET \/c\/\{id\}\./,
      ),
      expect.stringMatching(/^9:30 'stubs\/5\/needsToken' is .*; expected true or false/),
      expect.stringMatching(/^10:5 'stubs\/6' is .*; expected an object/),
    ]);
  });

  test('that is no list is a mistake', async () => {
    const dataset = writeFixture('stubs: { method: GET, path: /a }');
    await expect(createMockServer({ dataset })).rejects.toThrow(
      '\'stubs\' is {"method":"GET","path":"/a"}; expected an array',
    );
  });
});
