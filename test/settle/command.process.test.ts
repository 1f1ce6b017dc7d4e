import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { parse } from 'yaml';
import { createMockServer, type MockServer, type SettleReport } from '../../src/index.js';
import { isRandom } from '../../src/tools/settle/seen/made-up-values.js';
import { hasProgram } from '../support/certificates.js';
import { runCommand } from '../support/command.js';
import { until } from '../support/fetching.js';
import { fixtureFolder, writeFixture } from '../support/fixture.js';
import { run } from '../support/programs.js';
import { json, ONE_PAGE, useServices } from '../support/services.js';

const TOKEN = 'a-secret-that-leaks-nowhere';
const CONTRACT = '65b000000000000000000001';
const REF = 'acme-2026-03-31-001';
// Few records, as every run reads all pages and asks the mock about them.
const FEW = 'test/support/few-measurements.yaml';
const serve = useServices();
// The program has other flags on other systems.
const hasScript = process.platform === 'linux' && hasProgram('script');
const [withScript, scriptNote] = hasScript ? [test, ''] : [test.skip, ' (no script here)'];

let server: MockServer;
let target: string;
beforeEach(async () => {
  server = await createMockServer({ dataset: FEW });
  target = await server.start();
});
afterEach(() => server.stop());

/** Runs the command without a wait between requests. */
async function settle(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const fast = args.includes('--har') || args.includes('--rate') ? [] : ['--rate', '1000'];
  const running = runCommand(['settle', ...fast, ...args], { USAGE_BILLING_TOKEN: TOKEN, ...env });
  const exitCode = await running.ended();
  const [stdout, stderr] = [running.stdout(), running.stderr()];
  expect(stdout + stderr).not.toContain(TOKEN);
  expect(stderr).not.toMatch(/^\s+at /m);
  return { exitCode, stdout, stderr };
}

function requestsOf(token = TOKEN) {
  return server.account(token).journal.list();
}

function pathOf(name: string): string {
  return join(fixtureFolder, name);
}

describe('usage-billing-mock settle', () => {
  test('asks a service, and exits with 0 for what it could tell', async () => {
    const { exitCode, stdout, stderr } = await settle(['--target', target]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`${target}, asked with `);
    expect(stdout).toMatch(
      /^Settled, no difference \(\d+\):\n(.*\n)* {2}final-cursor: absent \(\d+ responses? to /m,
    );
    expect(stdout).toMatch(/^Could not be checked \(\d+\):$/m);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Only calls that change records can settle this decision, and they were not allowed.',
    );
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stderr.replaceAll('\n', ' ')).toMatch(
      /^Sends at most 100 requests, 1000 a second, .* 60 s of waiting\./,
    );
    expect(stderr).toMatch(/^ ?1\/\d+ GET \/measurements.*, \d+ sent so far$/m);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Next: In what is settled, the service behaves like the mock; still unknown:',
    );
    expect(stderr).not.toContain('\r');
    expect(new Set(requestsOf().map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  withScript(`wraps its report for a terminal of 40 columns${scriptNote}`, async () => {
    const { url } = await serve(json(200, { ...ONE_PAGE, nextCursor: null }));
    const command = `stty cols 40; "${process.execPath}" dist/cli.cjs settle --rate 1000 --target ${url}`;
    const shown = await run('script', ['-qec', command, '/dev/null'], {
      env: { PATH: process.env.PATH, USAGE_BILLING_TOKEN: TOKEN },
    });
    const lines = stripVTControlCharacters(shown.stdout).split(/[\r\n]+/);
    expect(lines).toContainEqual(expect.stringMatching(/^Settled, no difference \(\d+\):$/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^No value describes the service \(\d+\):$/),
    );
    expect(lines.filter((line) => line.length > 40 && line.trim().includes(' '))).toEqual([]);
  });

  test('shows a difference as one, and what to do', async () => {
    await server.stop();
    const decisions = { 'final-cursor': 'empty-string' } as const;
    server = await createMockServer({ dataset: FEW, decisions });
    target = await server.start();
    const only = ['--target', target, '--only', 'final-cursor'];
    const { exitCode, stdout } = await settle(only);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Settled, with a difference \(1\):\n {2}final-cursor is empty-string, not absent \(\d+ responses? to .*\n(.*\n)+\nNext:\n {2}Write the settled values with --out/m,
      ),
    ]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('it then behaves the same.');
    const open = (await settle([...only, '--only', 'repeat-delete'])).stdout;
    expect(open.replaceAll(/\s+/g, ' ')).toContain(
      'it then does what is settled; still unknown: repeat-delete.',
    );
  });

  test('takes the token from the variable that it is told', async () => {
    const args = ['--target', target, '--only', 'final-cursor', '--token-env', 'OTHER'];
    expect((await settle(args, { OTHER: 'other-token' })).exitCode).toBe(0);
    expect(requestsOf('other-token').length).toBeGreaterThan(0);
    expect(requestsOf()).toEqual([]);
  });

  test('writes files that hold what is settled, everything, and a case for each decision', async () => {
    const [out, report, junit] = ['out.yaml', 'report.json', 'junit.xml'].map(pathOf) as [
      string,
      string,
      string,
    ];
    writeFileSync(report, 'earlier', { mode: 0o640 });
    const files = ['--out', out, '--report', report, '--junit', junit];
    const only = ['--only', 'final-cursor', '--only', 'repeat-delete'];
    const before = readdirSync(fixtureFolder).length;
    const { exitCode } = await settle(['--target', target, ...only, ...files]);
    expect([exitCode, readdirSync(fixtureFolder).length]).toEqual([0, before + 2]);
    const text = readFileSync(out, 'utf8');
    expect(text).toMatch(/^# How http/);
    const host = new URL(target).host;
    const seen = { host, at: expect.any(String), evidence: [expect.stringContaining('-> 200')] };
    expect(parse(text)).toEqual({ 'final-cursor': { value: 'absent', seen } });
    const written = JSON.parse(readFileSync(report, 'utf8'));
    expect(written).toMatchObject({ target, startedAt: expect.any(String), violations: [] });
    expect(written.requests).toBe(requestsOf().length);
    expect(written.verdicts.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'could-not-check',
      'settled',
    ]);
    expect(statSync(report).mode & 0o777).toBe(0o640);
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toContain('tests="2" failures="0" errors="0" skipped="1"');
    expect(xml).toContain('<testcase classname="settle" name="final-cursor"/>');
    expect(xml).toMatch(/name="repeat-delete"><skipped message="could-not-check: Only calls/);
    expect(text + xml + JSON.stringify(written)).not.toContain(TOKEN);
  });

  test('follows a link to the file, and writes to what is no file', async () => {
    mkdirSync(pathOf('linked'));
    writeFileSync(pathOf('linked/report.json'), '');
    symlinkSync(pathOf('linked/report.json'), pathOf('link.json'));
    const only = ['--target', target, '--only', 'final-cursor'];
    await settle([...only, '--report', pathOf('link.json')]);
    expect(JSON.parse(readFileSync(pathOf('linked/report.json'), 'utf8')).target).toBe(target);
    expect((await settle([...only, '--out', '/dev/null'])).exitCode).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('exits with 4 if the service cannot be asked, and shows it as nothing else', async () => {
    await server.stop();
    const { exitCode, stdout } = await settle(['--target', target, '--out', pathOf('none.yaml')]);
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(/^The run is incomplete: 3 requests in a row failed/m);
    expect(stdout).not.toContain('Settled');
    expect(stdout).toContain('Next:\n  Run settle again once it can finish; ');
    expect(parse(readFileSync(pathOf('none.yaml'), 'utf8'))).toEqual({});
  });

  test('exits with 4 if the token is refused, and says where it comes from', async () => {
    const { url } = await serve(json(401, {}));
    const { exitCode, stdout } = await settle(['--target', url]);
    expect([exitCode, stdout]).toEqual([4, expect.stringContaining('--token-env')]);
    expect(stdout).toContain('USAGE_BILLING_TOKEN');
  });

  test('does not obey the sequences for terminals that a service sends', async () => {
    const { url } = await serve(json(200, { ...ONE_PAGE, nextCursor: 1, '\u001b[2J\u009b2J': 1 }));
    const { stdout } = await settle(['--target', url]);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});

describe('usage-billing-mock settle --check', () => {
  const check = (text: string, ...args: string[]) =>
    settle(['--target', target, '--check', writeFixture(text), ...args]);

  test('exits with 0 if the service does as the file says, and counts what was not asked', async () => {
    const { exitCode, stdout } = await check('final-cursor: absent\nrepeat-delete: gone\n');
    expect(exitCode).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'The check covers 2 decisions: 1 the same, 0 different, 0 unknown, 1 not asked. Not asked: repeat-delete',
    );
  });

  test('exits with 1 if it does not, and names what differs', async () => {
    const { exitCode, stdout } = await check('final-cursor: empty-string\n');
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringContaining('final-cursor is absent, not empty-string'),
    ]);
  });

  test('exits with 1 if it does what no value describes', async () => {
    const { url } = await serve(json(200, { ...ONE_PAGE, nextCursor: null }));
    const file = writeFixture('final-cursor: absent\n');
    const junit = pathOf('none.xml');
    const args = ['--target', url, '--check', file, '--only', 'final-cursor', '--junit', junit];
    const { exitCode, stdout } = await settle(args);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('No value describes')]);
    expect(readFileSync(junit, 'utf8')).toMatch(
      /<failure message="No value .*>not absent: GET .*, nextCursor null/s,
    );
  });

  const oddEnd = json(200, { ...ONE_PAGE, nextCursor: null });
  const oddEndAndTotal = json(200, { ...ONE_PAGE, nextCursor: null, total: '1' });
  const only = ['--only', 'final-cursor', '--only', 'total-counts', '--only', 'repeat-delete'];

  test('accepts that no value describes it, and keeps that in the file until it is another', async () => {
    const { url } = await serve(oddEnd);
    const [first, again] = [pathOf('accepted.yaml'), pathOf('again.yaml')];
    const accept = ['--accept', 'final-cursor', '--check', writeFixture('final-cursor: absent\n')];
    expect((await settle(['--target', url, ...only, ...accept, '--out', first])).exitCode).toBe(0);
    const kept = { value: 'absent', accepted: 'none' };
    expect(parse(readFileSync(first, 'utf8'))).toMatchObject({ 'final-cursor': kept });
    const check = ['--check', first, '--out', again];
    const { exitCode, stdout } = await settle(['--target', url, ...only, ...check]);
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/, 0 different,/)]);
    expect(parse(readFileSync(again, 'utf8'))).toMatchObject({ 'final-cursor': kept });
    const changed = await serve(json(200, { ...ONE_PAGE, nextCursor: '' }));
    const later = await settle(['--target', changed.url, ...only, '--check', first]);
    expect(later.exitCode).toBe(1);
    expect(later.stdout).toContain('final-cursor is empty-string, not absent');
  });

  test('accepts responses that nothing explains, or a decision that they keep open', async () => {
    // It deletes the same event whatever the refs are.
    const events = [{ id: 'e1', ref: REF, deletedAt: '2026-04-01T12:00:01.000Z' }];
    const { url } = await serve(json(200, { events }));
    const [report, out] = [pathOf('unexplained.json'), pathOf('accepted-responses.yaml')];
    const writes = ['--allow-writes', '--scratch-ref', REF];
    const asked = ['--target', url, '--only', 'unmatched-refs', ...writes];
    const check = [...asked, '--check', writeFixture('unmatched-refs: ignore\n')];
    const first = await settle([...check, '--report', report]);
    expect(first.exitCode).toBe(4);
    expect(first.stdout.replaceAll(/\s+/g, ' ')).toContain('no value of any decision predicts it');
    const { unexplained }: SettleReport = JSON.parse(readFileSync(report, 'utf8'));
    expect(unexplained.flatMap(({ decisions }) => decisions)).toContain('unmatched-refs');
    const accept = unexplained.flatMap(({ response }) => ['--accept', response]);
    expect((await settle([...check, ...accept, '--out', out])).exitCode).toBe(0);
    expect((await settle([...asked, '--check', out])).exitCode).toBe(0);
  });

  const absent = 'final-cursor: absent\n';
  const accepted = 'final-cursor: { value: absent, accepted: none }\n';

  test.each([
    ['one that the file does not have', oddEnd, 'repeat-delete: gone\n', [], 0],
    ['one that the file does not have, but another', oddEndAndTotal, absent, [], 1],
    ['a new one', oddEnd, absent, [], 1],
    ['a new one that is accepted', oddEnd, absent, ['--accept', 'final-cursor'], 0],
    ['one accepted, which the file does not have', oddEnd, '{}', ['--accept', 'final-cursor'], 0],
    ['one accepted in the file', oddEnd, accepted, [], 0],
    ['a new one beside one accepted', oddEndAndTotal, `${accepted}total-counts: all\n`, [], 1],
  ] as const)(
    'fails as often in JUnit as by its exit code, with no value for %s',
    async (_, service, text, more, failures) => {
      const { url } = await serve(service);
      const junit = pathOf('failures.xml');
      const check = ['--check', writeFixture(text), '--junit', junit, ...more];
      const { exitCode } = await settle(['--target', url, ...only, ...check]);
      const xml = readFileSync(junit, 'utf8');
      expect(xml).toContain(`tests="3" failures="${failures}"`);
      expect(xml.match(/<failure/g)?.length ?? 0).toBe(failures);
      expect(exitCode).toBe(failures === 0 ? 0 : 1);
    },
  );

  test('fails nothing in JUnit without a file, as its exit code is 0', async () => {
    const { url } = await serve(json(200, { ...ONE_PAGE, nextCursor: '' }));
    const junit = pathOf('no-file.xml');
    const { exitCode } = await settle(['--target', url, ...only, '--junit', junit]);
    const xml = readFileSync(junit, 'utf8');
    expect([exitCode, xml]).toEqual([0, expect.stringContaining('failures="0" errors="0"')]);
    expect(xml).toContain('<skipped message="empty-string, not absent">');
  });

  test('exits with 4 if it cannot know', async () => {
    await server.stop();
    const { exitCode, stdout } = await check('final-cursor: absent\n');
    expect([exitCode, stdout]).toEqual([4, expect.stringContaining('1 unknown')]);
  });

  test('leaves aside what the file does not have, and what --only leaves out', async () => {
    expect((await check('repeat-delete: gone\n')).exitCode).toBe(0);
    const only = ['--only', 'repeat-delete'];
    expect((await check('final-cursor: empty-string\n', ...only)).exitCode).toBe(0);
  });
});

describe('usage-billing-mock settle --out', () => {
  const SWITCHED = {
    'customer-id-matches': 'id',
    'name-matches': 'case-insensitive',
    'measurement-order': 'newest-first',
    'total-counts': 'remaining',
    'last-page': 'trailing-empty-page',
    'final-cursor': 'empty-string',
    'invalid-cursor': 'first-page',
    'limit-out-of-bounds': 'clamp',
    'unknown-query-parameters': 'ignore',
    'error-body': 'message',
  } as const;

  test('writes a file by which a mock does the same as the service, and --check finds it so', async () => {
    const service = await createMockServer({ decisions: SWITCHED });
    const file = pathOf('circle.yaml');
    await settle(['--target', await service.start(), '--out', file]);
    await service.stop();
    const written = parse(readFileSync(file, 'utf8'));
    for (const [id, value] of Object.entries(SWITCHED)) {
      expect([id, written[id]?.value]).toEqual([id, value]);
    }
    const mock = runCommand(['--port', '0', '--decisions', file, '--log-level', 'silent']);
    const same = await settle(['--target', await mock.ready(), '--check', file]);
    expect([same.exitCode, same.stdout]).toEqual([0, expect.stringContaining(' 0 different,')]);
    const changed = await createMockServer({ decisions: { ...SWITCHED, 'total-counts': 'page' } });
    const other = await settle(['--target', await changed.start(), '--check', file]);
    await changed.stop();
    expect(other.exitCode).toBe(1);
    expect(other.stdout).toContain('total-counts is page, not remaining');
  });
});

describe('usage-billing-mock settle --har', () => {
  test('writes evidence that --check and --decisions read, whatever a call contained', async () => {
    const problem = { type: 'urn:x', title: 'x', status: 400, detail: 'x' };
    const long = Array.from({ length: 30 }, (_, index) => `p${index}=${'x'.repeat(50)}`).join('&');
    const queries = ['', '?limit=0%1B%5B2J%C2%9B%0A', `?limit=0&${long}`, '?limit=0'];
    const entries = queries.map((query, index) => ({
      startedDateTime: `2026-04-01T12:00:0${index}.000Z`,
      request: { method: 'GET', url: `https://billing.example/measurements${query}` },
      response:
        query === ''
          ? { status: 200, content: { text: JSON.stringify(ONE_PAGE) } }
          : {
              status: 400,
              headers: [{ name: 'content-type', value: 'application/problem+json' }],
              content: { text: JSON.stringify(problem) },
            },
    }));
    const [har, file] = [pathOf('odd.har'), pathOf('odd.yaml')];
    for (const some of [entries.toSpliced(2, 1), entries.toSpliced(1, 1)]) {
      writeFileSync(har, JSON.stringify({ log: { entries: some } }));
      expect((await settle(['--har', har, '--out', file])).exitCode).toBe(0);
      expect(parse(readFileSync(file, 'utf8'))).toHaveProperty(['invalid-request-status', 'value']);
      const { exitCode, stderr } = await settle(['--har', har, '--check', file]);
      expect([exitCode, stderr]).toEqual([0, '']);
    }
  });

  const HAR = 'test/settle/recordings/playwright-embed.har';

  test('concludes from a recording, and sends nothing', async () => {
    const { exitCode, stdout, stderr } = await settle(['--har', HAR, '--out', pathOf('har.yaml')], {
      USAGE_BILLING_TOKEN: '',
    });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^127\.0\.0\.1:4010, 8 requests in recordings; 1 other passed over\nGaps in the recording: no response \(1\)\.$/m,
    );
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'repeat-delete Nothing in the recording tells its values apart.',
    );
    const { 'undocumented-fields': extra } = parse(readFileSync(pathOf('har.yaml'), 'utf8'));
    // Not when it was read.
    const at = '2026-11-22T00:13:01.280Z';
    expect(extra).toMatchObject({ value: 'none', seen: { host: '127.0.0.1:4010', at } });
  });

  test('compares it with a file', async () => {
    const check = (text: string) => settle(['--har', HAR, '--check', writeFixture(text)]);
    expect((await check('undocumented-fields: none\nrepeat-delete: gone\n')).exitCode).toBe(0);
    expect((await check('undocumented-fields: extra\n')).exitCode).toBe(1);
    expect((await check('last-page: exact\n')).exitCode).toBe(4);
  });
});

describe('usage-billing-mock settle, of changes,', () => {
  test('prints what it would send and sends nothing, even without a token', async () => {
    const { exitCode, stdout } = await settle(['--target', target, '--dry-run'], {
      USAGE_BILLING_TOKEN: '',
    });
    expect([exitCode, requestsOf()]).toEqual([0, []]);
    expect(stdout).toContain(`The plan for ${target}: at most 100 requests`);
    expect(stdout).toMatch(/^Reads records:\n {2}GET \/measurements/m);
    expect(stdout).toMatch(/^Made up, to see how the service responds:$/m);
    expect(stdout).not.toContain('Changes records:');
  });

  test.each(['name-matches', 'error-body'])(
    'plans how --only %s finds customers',
    async (decision) => {
      const args = ['--target', target, '--only', decision];
      const { stdout } = await settle([...args, '--dry-run']);
      await settle(args);
      expect(requestsOf()).toContainEqual(
        expect.objectContaining({ operationId: 'getCustomer', status: 200 }),
      );
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
        'with at most 8 that measurements mention, which may take GET /measurements?limit=100',
      );
    },
  );

  test('names in the plan what may be deleted, and prints it before it sends', async () => {
    const writes = ['--allow-writes', '--scratch-contract', CONTRACT, '--scratch-ref', REF];
    const args = ['--target', target, ...writes];
    const plan = (await settle([...args, '--dry-run'])).stdout;
    expect(requestsOf()).toEqual([]);
    const { stderr } = await settle(args);
    expect(stderr).toContain(plan);
    const deleted = requestsOf().flatMap(({ method, path }) => (method === 'DELETE' ? path : []));
    const named = deleted.filter((path) => !isRandom(path.split('/').at(-1) ?? ''));
    expect(new Set(named)).toEqual(new Set([`/contracts/${CONTRACT}`]));
    const gone = server
      .account(TOKEN)
      .events.list()
      .filter((one) => one.deletedAt !== undefined);
    expect(gone.map(({ ref }) => ref)).toEqual([REF]);
  });
});

describe('usage-billing-mock settle, interrupted', () => {
  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;
  test.each(signals)('by %s, writes what is known', async (signal, exitCode) => {
    const { url, received } = await serve((request, response) => {
      if (received.length === 1) json(200, ONE_PAGE)(request, response);
    });
    const report = pathOf(`${signal}.json`);
    const args = ['settle', '--target', url, '--rate', '1000', '--report', report];
    const running = runCommand(args, { USAGE_BILLING_TOKEN: TOKEN });
    await until(() => received.length === 2);
    running.kill(signal);
    expect(await running.ended()).toBe(exitCode);
    expect(running.stdout()).toContain('The run is incomplete: it was interrupted.');
    const { verdicts } = JSON.parse(readFileSync(report, 'utf8'));
    expect(verdicts).toContainEqual(
      expect.objectContaining({ decision: 'final-cursor', verdict: 'settled' }),
    );
  });
});

const nowhere = ['--target', 'http://127.0.0.1:2'];

/** Refused arguments, and the sentences that refuse them; `sender.test.ts` has those of options. */
const REFUSED: readonly (readonly [args: readonly string[], sentence: string])[] = [
  [[], 'No service was given; expected --target'],
  [['--token', TOKEN], 'There is no flag for the token'],
  [[...nowhere, '--token-env', TOKEN], 'expected it in the given variable'],
  [[...nowhere, '--rate', 'fast'], '--rate is "fast"; expected a number above 0'],
  [[...nowhere, '--only', 'last-page,total-counts'], 'several, repeat --only for each.'],
  [[...nowhere, '--allow-writes'], '--allow-writes needs --scratch-contract or --scratch-ref'],
  [[...nowhere, '--har', 'a.har'], '--target cannot be used with --har'],
  [[...nowhere, '--check', 'nowhere.yaml'], 'nowhere.yaml'],
  [
    [...nowhere, '--out', '/nowhere/out.yaml'],
    "Cannot write '/nowhere/out.yaml': its folder does not exist. Create the folder, or use",
  ],
  [['--token'], 'There is no flag for the token'],
  [[...nowhere, '--token-env', 'NO_SUCH'], 'expected it in the variable NO_SUCH'],
  [['--har', 'a.har', '--dry-run'], '--dry-run cannot be used with --har'],
  [[...nowhere, '--out', fixtureFolder], 'it is a folder; name a file in it.'],
  [[...nowhere, '--out', 'same', '--report', 'same'], 'Two flags name the file same'],
];

describe('usage-billing-mock settle refuses', () => {
  test.each(REFUSED)('%j with exit code 2 and a sentence', async (args, sentence) => {
    const { exitCode, stdout, stderr } = await settle(args);
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(sentence)]);
    expect(stderr).not.toContain('secret');
  });
});
