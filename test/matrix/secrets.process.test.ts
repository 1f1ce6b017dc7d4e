import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fixtureFolder } from '../support/fixture.js';
import { matrix } from '../support/matrix.js';

const JWT = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJzZWNyZXQifQ.c2VjcmV0';

/** What the command prints, by what is secret in it. */
const PRINTED = [
  `the token is ${JWT}`,
  'GET https://robin:secret-userinfo@billing.example/x',
  '\u001b[1mgot secret-of-\u001b[0mvariable and secret-of-variable',
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
  ])('are in no report of one %s', async (what, args, env) => {
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
  });
});

test('what nothing documents of a refused request stands in the report and in JUnit', async () => {
  const files = ['debugged.json', 'debugged.xml'].map((name) => join(fixtureFolder, name));
  const [report, junit] = files as [string, string];
  // The values are not in the command, which reports show too.
  const script = `const { USAGE_BILLING_MOCK_URL: url, USAGE_BILLING_MOCK_TOKEN: mine, TRACE, TENANT, COLOUR } = process.env;
const headers = { Authorization: 'Bearer ' + mine, 'Content-Type': 'application/json', 'X-Tenant': TENANT };
const body = JSON.stringify({ refs: ['r'], colour: COLOUR });
const target = url + '/events/delete-by-refs?trace=' + TRACE;
process.exit((await fetch(target, { method: 'POST', headers, body })).ok ? 0 : 1);`;
  const flags = ['--decide', 'unknown-query-parameters=ignore', '--report', report];
  const { stdout } = await matrix(
    [...flags, '--only', 'unknown-body-members=reject', '--junit', junit],
    ['node', '--input-type=module', '--eval', script],
    { TRACE: 'seven', TENANT: 'tenant-7', COLOUR: 'teal' },
  );
  for (const text of [stdout, readFileSync(junit, 'utf8'), readFileSync(report, 'utf8')])
    for (const word of ['trace=seven', 'tenant-7', 'teal']) expect(text).toContain(word);
});
