import { writeFixture } from '../support/fixture.js';
import { client, matrix } from '../support/matrix.js';

/** A client that accepts one status, and prints characters that table cells must escape. */
const CLIENT = client(
  `
  const { status } = await call('/contracts/65b000000000000000000001', undefined, 'DELETE');
  if (status === 200) process.exit(0);
  console.log('expected ' + '\\u0060'.repeat(3) + '200|, got ' + status);
  process.exit(1);`,
  { isTolerant: true },
);

const ONLY = ['--only', 'success-status', '--only', 'updated-at-on-delete', '--format', 'markdown'];

describe('a matrix in Markdown', () => {
  test('names in a table what fails, and unfolds why', async () => {
    const { exitCode, stdout } = await matrix(ONLY, CLIENT);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^## Matrix of /);
    expect(stdout).toContain('\n1 of 3 runs failed unexpectedly.\n');
    expect(stdout).toMatch(
      /^| `success-status=202` \| Which status does a successful call get\? \| failed in .* \|$/m,
    );
    expect(stdout).toMatch(
      /<summary>success-status=202<\/summary>\n\n````text\nWhich status[^<]*DELETE \/contracts[^<]* -> 202[^<]*\nexpected ```200\|, got 202\n````\n\n<\/details>/,
    );
  });

  test('names what is accepted', async () => {
    const accept = writeFixture('- success-status=202\n');
    const { exitCode, stdout } = await matrix([...ONLY, '--accept', accept], CLIENT);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining(
        '\n0 of 3 runs failed unexpectedly.\n\nAccepted: `success-status=202`.\n',
      ),
    ]);
  });

  test('says why runs without a request tell nothing', async () => {
    const isBaseline = "process.env.USAGE_BILLING_MOCK_TOKEN.includes('baseline')";
    const cached = client(`if (${isBaseline}) await call('/measurements');`);
    const { exitCode, stdout } = await matrix([...ONLY, '--no-canary'], cached);
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringContaining(
        '0 of 3 runs failed unexpectedly; 3 passed without a request. A cache may have answered.',
      ),
    ]);
  });

  test('counts what was not touched, as the text does', async () => {
    const { stdout } = await matrix([...ONLY, '--only', 'final-cursor'], CLIENT);
    expect(stdout).toMatch(
      /^\d alternatives? passed, and 1 was not touched; --only-touched skips it\.$/m,
    );
  });

  test.each([
    ['the baseline', client('process.exit(1);'), 'so there is nothing to compare other runs with.'],
    [
      'the canary',
      client("await call('/measurements');", { isTolerant: true }),
      'passed the canary run',
    ],
  ])('says how %s has ended it', async (_what, command, sentence) => {
    const { exitCode, stdout } = await matrix(ONLY, command);
    expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/^## Matrix of /)]);
    expect(stdout).toContain(sentence);
  });

  test('of faults has the outcome of each, and what failed runs wrote', async () => {
    const only = ['--faults', '--only', 'deleteContract=500', '--only', 'slow'];
    const { exitCode, stdout } = await matrix([...only, '--format', 'markdown'], CLIENT);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('| `deleteContract=500` | failed | 1 |\n');
    expect(stdout).toContain('| `deleteContract=slow` | survived | 1 |\n');
    expect(stdout).not.toContain('listMeasurements');
    expect(stdout).toContain('expected ```200|, got 500');
  });
});
