import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newFolder } from '../support/fixture.js';
import { client, matrix } from '../support/matrix.js';

/** Sends each request again after a 500, and calls the mock of the run unless told another. */
const CLIENT = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
const { USAGE_BILLING_MOCK_URL: url, USAGE_BILLING_MOCK_TOKEN: token } = process.env;
const send = async (method, path, base = url) => {
  const request = () => fetch(base + path, { method, headers: { Authorization: 'Bearer ' + token } });
  let response = await request();
  if (response.status === 500) response = await request();
  if (response.status === 500) throw new Error(await response.text());
  return response;
};
const remove = (base) => send('DELETE', '/contracts/65b000000000000000000001', base);
const expect = (isTrue, what) => { if (!isTrue) throw new Error('not so: ' + what); };
const { FOLDER } = process.env;
appendFileSync(FOLDER + '/runs', 'x');
const nth = readFileSync(FOLDER + '/runs', 'utf8').length;
/** Runs a task of a build once, as a cache of tasks does. */
const cached = async (task) => {
  if (existsSync(FOLDER + '/cached')) return;
  await task();
  writeFileSync(FOLDER + '/cached', '');
};
`;

const suite = (code: string) => ['node', '--input-type=module', '--eval', `${CLIENT}\n${code}`];
const inShell = (line: string, code: string) => ['sh', '-c', line, ...suite(code)];

const DELETES_TWICE = "await remove(); expect((await remove()).status >= 400, 'it is gone');";

type Mode = 'plain' | 'faults';

interface Verdict {
  readonly exit: 0 | 1;
  /** What the report or the error says. */
  readonly says: string | RegExp;
  readonly never?: string;
  readonly junit?: string;
}

const GREEN = { exit: 0, says: 'No alternative', junit: 'failures="0"' } as const;
const SURVIVES = { exit: 0, says: '1 survived, 0 failed', junit: 'failures="0"' } as const;
const CANNOT_FAIL = {
  exit: 1,
  says: 'It passes although every call gets a 500',
  junit: 'name="canary"',
} as const;
const everywhere = (verdict: Verdict) => ({ plain: verdict, faults: verdict });
const FLAKY = { exit: 1, says: /flaky/i, never: 'depends on', junit: 'message="flaky' } as const;
const dependsOn = (decision: string): Verdict => ({
  exit: 1,
  says: `depends on 1 decision:\n  ${decision}\n`,
  junit: `name="${decision}=`,
});
const IS_RED = { exit: 1, junit: '<failure message="failed' } as const;
const NOT_SEEN = {
  exit: 1,
  says: 'go test: -count=1',
  never: 'No alternative',
  junit: '<failure message="not seen: ',
} as const;

interface Suite {
  readonly command: readonly string[];
  readonly args?: readonly string[];
  /** The alternatives to try, of decisions that the suite touches. */
  readonly only?: readonly string[];
  readonly verdicts: Readonly<Record<Mode, Verdict>>;
}

const ONCE = ['success-status=202'];
const TWICE = [...ONCE, 'repeat-delete=same-result'];

const SUITES: Readonly<Record<string, Suite>> = {
  'that accepts everything': {
    command: suite("await remove(); await send('GET', '/measurements');"),
    only: ONCE,
    verdicts: { plain: GREEN, faults: { ...SURVIVES, says: '2 survived' } },
  },
  'that accepts no other status': {
    command: suite("expect((await remove()).status === 200, '200');"),
    only: ONCE,
    verdicts: {
      plain: dependsOn('success-status'),
      faults: SURVIVES,
    },
  },
  'that needs an error for the second delete': {
    command: suite(DELETES_TWICE),
    verdicts: {
      plain: dependsOn('repeat-delete'),
      faults: SURVIVES,
    },
  },
  'that sends nothing again': {
    command: client('if (!(await call("/measurements")).ok) process.exit(1);'),
    only: ['total-counts=page'],
    verdicts: { plain: GREEN, faults: { ...IS_RED, says: '1 failed' } },
  },
  'that fails on its third run, whatever the decisions': {
    command: suite("await remove(); expect(nth !== 3, 'luck');"),
    verdicts: everywhere(FLAKY),
  },
  'that fails on its third run, in which no response rests on a decision': {
    command: suite("await send('GET', '/measurements'); expect(nth !== 3, 'luck');"),
    verdicts: everywhere(FLAKY),
  },
  'that fails from its third run on, because it leaves something behind': {
    command: suite("await remove(); expect(nth < 3, 'the folder is empty');"),
    verdicts: everywhere(FLAKY),
  },
  'of two tasks, of which a cache leaves out the one that deletes twice': {
    command: suite(
      "await cached(async () => { await remove(); expect((await remove()).status >= 400, 'it is gone'); }); await send('GET', '/measurements');",
    ),
    verdicts: everywhere(NOT_SEEN),
  },
  'of two tasks, which both delete, but a cache leaves out the one that does so twice': {
    command: suite(`await cached(async () => { ${DELETES_TWICE} }); await remove();`),
    verdicts: { plain: NOT_SEEN, faults: SURVIVES },
  },
  'of two tasks, of which a cache leaves out all calls of one operation': {
    command: suite(
      "await cached(() => send('GET', '/customers/65a000000000000000000001')); await remove(); await remove();",
    ),
    verdicts: {
      plain: { ...NOT_SEEN, says: /no other run, so nothing is known.*:\n {2}getCustomer\n/ },
      faults: NOT_SEEN,
    },
  },
  'that runs a part of its tests at random': {
    command: suite(
      "if (nth % 4 > 0) { await remove(); await remove(); } else await send('GET', '/measurements');",
    ),
    verdicts: {
      plain: { ...GREEN, never: 'not seen' },
      faults: SURVIVES,
    },
  },
  'whose exit code a pipe loses': {
    command: inShell('"$0" "$@" 2>&1 | tee "$FOLDER/log"', DELETES_TWICE),
    verdicts: everywhere(CANNOT_FAIL),
  },
  'of refusals alone': {
    command: client("if ((await call('/customers/nobody')).ok) process.exit(1);", {
      isTolerant: true,
    }),
    verdicts: everywhere({ ...CANNOT_FAIL, says: 'expect refusals, add --no-canary' }),
  },
  'of refusals alone, with --no-canary': {
    command: client("if ((await call('/customers/nobody')).ok) process.exit(1);", {
      isTolerant: true,
    }),
    args: ['--no-canary'],
    only: ['unknown-identifier-status=400'],
    verdicts: { plain: GREEN, faults: SURVIVES },
  },
  'that starts a mock of its own, clears its faults and resets it': {
    command: suite(`
const { createMockServer } = await import('${resolve('dist/index.mjs')}');
const mock = await createMockServer();
const base = await mock.start();
mock.account(token).faults.clear();
mock.account(token).reset();
mock.resetAll();
const { status } = await send('DELETE', '/contracts/65b000000000000000000001', base);
await mock.stop();
expect(status === 200, '200');`),
    only: ONCE,
    verdicts: {
      plain: dependsOn('success-status'),
      faults: SURVIVES,
    },
  },

  'that deletes once, where the second delete is named': {
    command: suite('await remove();'),
    verdicts: {
      plain: {
        exit: 1,
        says: /^Named with --only, but not touched.*:\n {2}repeat-delete$/m,
        never: 'No alternative',
        junit: 'classname="matrix.decisions" name="repeat-delete"',
      },
      faults: SURVIVES,
    },
  },
};

const rows = Object.entries(SUITES).flatMap(
  ([name, { command, args = [], only = TWICE, verdicts }]) =>
    (['plain', 'faults'] as const).map((mode) => {
      const named = mode === 'plain' ? only : ['500'];
      const flags = named.flatMap((one) => ['--only', one]);
      const modeArgs = mode === 'plain' ? flags : ['--faults', ...flags];
      return { name, mode, command, args: [...args, ...modeArgs], verdict: verdicts[mode] };
    }),
);

test.each(rows)('$mode: a suite $name gets the right verdict', async (row) => {
  const { command, args, verdict } = row;
  const folder = newFolder();
  const junit = join(folder, 'junit.xml');
  const end = await matrix([...args, '--junit', junit], command, { FOLDER: folder });
  const told = end.stdout + end.stderr;
  expect([end.exitCode, told]).toEqual([verdict.exit, told]);
  expect(told).toMatch(verdict.says);
  if (verdict.never !== undefined) expect(told).not.toContain(verdict.never);
  if (verdict.junit !== undefined) expect(readFileSync(junit, 'utf8')).toContain(verdict.junit);
});

test('the 500 of the canary leaves the control plane as it is, and comes before tokens and stubs', async () => {
  const folder = newFolder();
  const { exitCode, stderr } = await matrix(
    ['--only', 'total-counts=page'],
    client(
      `
      import { appendFileSync } from 'node:fs';
      const { USAGE_BILLING_MOCK_URL: url, USAGE_BILLING_MOCK_TOKEN: token } = process.env;
      const headers = { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' };
      const post = (path, body) => fetch(url + '/__control' + path, { method: 'POST', headers, body: body && JSON.stringify(body) });
      const control = [
        (await post('/reset')).status,
        (await post('/stubs', { method: 'GET', path: '/me', body: {} })).status,
        (await fetch(url + '/__control/faults', { method: 'DELETE', headers })).status,
      ];
      const calls = [
        (await fetch(url + '/me', { headers })).status,
        (await fetch(url + '/measurements')).status,
        (await fetch(url + '/nowhere')).status,
        (await call('/measurements')).status,
        (await fetch(url + '/measurements', { method: 'OPTIONS', headers: { Origin: 'http://a.test', 'Access-Control-Request-Method': 'GET' } })).status,
      ];
      appendFileSync(${JSON.stringify(join(folder, 'statuses'))}, control.join() + ' ' + calls.join() + '\\n');
      if (calls[3] === 500) process.exit(1);`,
      { isTolerant: true },
    ),
  );
  expect([exitCode, stderr]).toEqual([0, stderr]);
  const [baseline, canary] = readFileSync(join(folder, 'statuses'), 'utf8').split('\n');
  expect(baseline).toMatch(/ 200,401,404,200,204$/);
  expect(canary).toBe(`${String(baseline).split(' ')[0]} 500,500,500,500,204`);
});
