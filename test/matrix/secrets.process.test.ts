import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fixtureFolder } from '../support/fixture.js';
import { matrix } from '../support/matrix.js';

const JWT = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJzZWNyZXQifQ.c2VjcmV0';

/** What the command prints, by what is secret in it. */
const PRINTED = [
  `the token is ${JWT.replaceAll('.', '%2E')}`,
  'GET https://robin:secret-userinfo@billing.example/x',
  '\u001b[1mgot secret-of-\u001b[0mvariable and secret%2Dof%2Dvariable',
  'a line: secret-second-line',
  'by Robin of the team',
  'connects with secret-of-flag, secret-of-pair',
];

const FLAGS = ['--', '--password=secret-of-flag', '--api-token', 'secret-of-pair'];
const COMMAND = [
  'node',
  '--input-type=module',
  '--eval',
  `const { USAGE_BILLING_MOCK_URL: url, USAGE_BILLING_MOCK_TOKEN: mine } = process.env;
const headers = { ['Author' + 'ization']: ['Bear' + 'er', mine].join(' ') };
const { total } = await (await fetch(url + '/measurements', { headers })).json();
if (!(total >= 100) || process.env.FAILS) { console.log(process.env.PRINTED); process.exit(1); }`,
  ...FLAGS,
];

describe('secrets of a command and its output', () => {
  test.each([
    ['that an alternative breaks', ['--only', 'total-counts=page'], {}],
    ['whose baseline fails', [], { FAILS: 'yes' }],
    ['that a fault breaks', ['--faults', '--jobs', '4', '--timeout', '5'], {}],
  ])(
    'are in no report of one %s',
    async (what, args, env) => {
      const files = ['json', 'xml'].map((end) =>
        join(fixtureFolder, `${what.replaceAll(' ', '-')}.${end}`),
      ) as [string, string];
      const [report, junit] = files;
      const { stdout, stderr, exitCode } = await matrix(
        [...args, '--report', report, '--junit', junit],
        COMMAND,
        {
          ...env,
          PRINTED: PRINTED.join('\n'),
          GIT_AUTHOR_NAME: 'Robin of the team',
          BILLING_API_KEY: 'secret-of-variable',
          SIGNING_KEY: 'secret-first-line\nsecret-second-line',
        },
      );
      expect(exitCode).toBe(1);
      const written = files.filter((file) => statSync(file, { throwIfNoEntry: false }));
      const all = [stdout, stderr, ...written.map((file) => readFileSync(file, 'utf8'))].join('\n');
      expect(all).toContain('[redacted]');
      expect(all).not.toMatch(/secret|eyJ|c2VjcmV0/);
      expect(all).toContain('by Robin of the team');
      expect(all).toContain('USAGE_BILLING_MOCK_TOKEN: mine } = process.env');
      expect(written.map((file) => statSync(file).mode & 0o777)).toEqual(written.map(() => 0o600));
    },
    120_000,
  );
});
