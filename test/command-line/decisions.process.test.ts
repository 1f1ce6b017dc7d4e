import { join } from 'node:path';
import { runCommand, useCommands } from '../support/command.js';
import { fixtureFolder, writeFixture } from '../support/fixture.js';

const start = useCommands();

const SEEN = {
  host: 'api.example.com:8443',
  at: '2026-10-01T12:00:00.000Z',
  evidence: ['DELETE /contracts/k1 -> 200', 'DELETE /contracts/k1 -> 410'],
};
const FILE = {
  'repeat-delete': { value: 'gone', seen: SEEN },
  'unauthorized-status': { value: 403, seen: { ...SEEN, host: 'recorded.har' } },
  'total-counts': 'page',
};

/** A file of decisions, as JSON. */
function decisionsFile(content: object = FILE, name?: string): string {
  return writeFixture(JSON.stringify(content, null, 2), name);
}

async function rowsOf(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const command = runCommand(['decisions', '--json', ...args], env);
  expect([await command.ended(), command.stderr()]).toEqual([0, '']);
  const rows: readonly { readonly id: string }[] = JSON.parse(command.stdout());
  return (id: string) => rows.find((row) => row.id === id);
}

describe('usage-billing-mock decisions with decisions given', () => {
  test('marks the values in force, and says which were seen and which are decided here', async () => {
    const file = decisionsFile();
    const command = runCommand(['decisions', '--decisions', file, '--decide=rate-limit=7/1m']);
    expect([await command.ended(), command.stderr()]).toEqual([0, '']);
    const blocks = command.stdout().split('\n\n');
    expect(blocks[0]).toBe('> in force, * by default');
    expect(blocks).toContain(
      [
        'repeat-delete (section 3, seen on api.example.com:8443 at',
        '              2026-10-01T12:00:00.000Z)',
        '  What does a second delete of a contract return?',
        '  * not-found    404 (see `unknown-identifier-status`), as for an unknown id.',
        '    same-result  The contract as the first delete left it.',
        ' >  gone         410 Gone.',
        '    conflict     409 Conflict.',
        '  Seen: DELETE /contracts/k1 -> 200',
        '        DELETE /contracts/k1 -> 410',
      ].join('\n'),
    );
    expect(blocks).toContain(
      [
        'total-counts (section 4.4, decided here)',
        '  What does `total` count?',
        '  * all        All measurements of the account.',
        '    remaining  The measurements on this page and after it.',
        ' >  page       The measurements on this page.',
      ].join('\n'),
    );
    const text = command.stdout();
    expect(text).toContain('last-page (section 4.4, decided here)');
    expect(text).toContain('\n >* exact                With a full page, which says');
    expect(text).toMatch(/\n > {2}7\/1m {7}This many per window/);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'unauthorized-status (section 7, for the whole server, seen on recorded.har at 2026',
    );
  });

  test('has the value in force and where it was seen in JSON', async () => {
    const row = await rowsOf(['--decisions', decisionsFile()]);
    expect(row('repeat-delete')).toMatchObject({
      default: 'not-found',
      inForce: 'gone',
      seen: SEEN,
    });
    expect(row('unauthorized-status')).toMatchObject({ default: 401, inForce: 403 });
    expect(row('total-counts')).toMatchObject({ inForce: 'page' });
    expect(row('total-counts')).not.toHaveProperty('seen');
  });

  test('accepts variables, which flags override', async () => {
    const env = {
      USAGE_BILLING_MOCK_DECISIONS: decisionsFile(),
      USAGE_BILLING_MOCK_DECIDE: 'total-counts=remaining,last-page=trailing-empty-page',
    };
    const row = await rowsOf(['--decide', 'last-page=exact'], env);
    expect(row('repeat-delete')).toMatchObject({ inForce: 'gone', seen: SEEN });
    expect(row('total-counts')).toMatchObject({ inForce: 'remaining' });
    expect(row('last-page')).toMatchObject({ inForce: 'exact' });
  });

  test('drops where a value was seen with --decide to another value, not to the same', async () => {
    const file = ['--decisions', decisionsFile()];
    const row = await rowsOf([...file, '--decide', 'repeat-delete=conflict']);
    expect(row('repeat-delete')).toMatchObject({ inForce: 'conflict' });
    expect(row('repeat-delete')).not.toHaveProperty('seen');
    const same = await rowsOf([...file, '--decide=unauthorized-status=403']);
    expect(same('unauthorized-status')).toMatchObject({ seen: { host: 'recorded.har' } });
  });

  test('refuses what the mock would refuse', async () => {
    const command = runCommand(['decisions', '--decide', 'repeat-delete=x']);
    expect(await command.ended()).toBe(2);
    expect(command.stderr()).toContain(
      'The decision \'repeat-delete\' is "x"; expected one of not-found',
    );
    expect(command.stdout()).toBe('');
  });
});

describe('a file of decisions that were seen', () => {
  test('decides the responses, and the fidelity statement says where from', async () => {
    const { url } = await start(['--decisions', decisionsFile()]);
    const call = (path: string, method = 'GET') =>
      fetch(`${url}${path}`, { method, headers: { Authorization: 'Bearer t' } });
    await call('/contracts/65b000000000000000000001', 'DELETE');
    expect((await call('/contracts/65b000000000000000000001', 'DELETE')).status).toBe(410);
    expect((await fetch(`${url}/measurements`)).status).toBe(403);
    expect(await (await call('/__control/fidelity')).json()).toMatchObject({
      behaviours: expect.arrayContaining([
        expect.objectContaining({ decision: 'repeat-delete', basis: 'seen', seen: SEEN }),
      ]),
    });
  });

  test.each([[[]], [['matrix', '--', 'true']]])(
    'is refused by %j with the lines of its mistakes and their fixes',
    async (args) => {
      const file = writeFixture(
        'repeat-delete:\n  value: gone\n  sen: {}\nlast-page:\n  value: exact\n  seen:\n    hots: x\n    at: 2026-10-01\n    evidence: [a]\n',
      );
      const command = runCommand([...args.slice(0, 1), '--decisions', file, ...args.slice(1)]);
      expect(await command.ended()).toBe(2);
      const lines = command
        .stderr()
        .replace(/^Baseline: .*\n/, '')
        .trim()
        .split('\n');
      expect(lines).toEqual([
        `usage-billing-mock: ${file}:3:3 Unknown member 'sen' in 'repeat-delete'. Did you mean 'seen'?`,
        expect.stringMatching(
          /:6:3 'last-page\/seen' is \{.*\}; expected the member 'host'\. Add it\.$/,
        ),
        expect.stringMatching(
          /:7:5 Unknown member 'hots' in 'last-page\/seen'\. Did you mean 'host'\?$/,
        ),
        expect.stringMatching(/:8:5 'last-page\/seen\/at' is .*; expected a date-time such as/),
      ]);
    },
  );

  test('is the baseline of a matrix, whose alternatives are the other values', async () => {
    const file = decisionsFile();
    const report = join(fixtureFolder, 'report.json');
    const script = `
      const { USAGE_BILLING_MOCK_URL: url, USAGE_BILLING_MOCK_TOKEN: token } = process.env;
      const headers = { Authorization: 'Bearer ' + token };
      const remove = () => fetch(url + '/contracts/65b000000000000000000001', { method: 'DELETE', headers });
      await remove();
      process.exitCode = (await remove()).status === 410 ? 0 : 1;`;
    const command = runCommand([
      ...['matrix', '--decisions', file, '--only', 'repeat-delete', '--report', report],
      ...['--', process.execPath, '--input-type=module', '--eval', script],
    ]);
    expect(await command.ended()).toBe(1);
    const named = ['not-found', 'same-result', 'conflict'].map((value) => `repeat-delete=${value}`);
    for (const name of named) expect(command.stdout()).toContain(name);
    expect(command.stdout()).not.toContain('repeat-delete=gone');
  });
});
