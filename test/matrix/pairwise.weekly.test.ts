import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixtureFolder, writeFixture } from '../support/fixture.js';
import { client, matrix } from '../support/matrix.js';

const CONTRACT = '/contracts/65b000000000000000000001';

function only(...names: readonly string[]): string[] {
  return names.flatMap((name) => ['--only', name]);
}

const ONLY = only('success-status=202', 'repeat-delete=gone', 'invalid-request-status');
const PAIRWISE = ['--pairwise', ...ONLY];

/** A client that fails if deletions are a 202 and malformed cursors get a 422. */
const BREAKS_BY_A_PAIR = client(`
  const { status } = await call('${CONTRACT}', undefined, 'DELETE');
  const { status: ofCursor } = await call('/measurements?cursor=none');
  if (status === 202 && ofCursor === 422) { console.log('202 and 422 <together>'); process.exit(7); }`);
const PAIR = 'success-status=202 + invalid-request-status=422';

describe('usage-billing-mock matrix --pairwise', () => {
  test('says in advance how many runs it takes', async () => {
    const { stderr } = await matrix(PAIRWISE, client("await call('/measurements')"));
    expect(stderr).toMatch(
      /^Baseline: .*\n6 runs: the baseline, the canary, 3 alternatives, and 1 combination covering 3 pairs\. /s,
    );
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^4\/4 /);
  });

  test('finds the pair that breaks what neither of it breaks alone', async () => {
    const file = join(fixtureFolder, 'pairs.json');
    const args = ['--report', file, ...PAIRWISE, ...only('success-status')];
    const { exitCode, stdout } = await matrix(args, BREAKS_BY_A_PAIR);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('under 4 alternatives and 5 pairs');
    expect(stdout).toContain(`${PAIR} (sections 4.6, 7)\n`);
    expect(stdout).toMatch(
      /Each passes alone; with all of them, the command failed in .* exit code 7/,
    );
    expect(stdout).toContain('  | 202 and 422 <together>\n');
    expect(stdout).toContain(`Together, though not alone, these break the command:\n  ${PAIR}\n`);
    const { alternatives, pairwise } = JSON.parse(readFileSync(file, 'utf8'));
    const outcomes = alternatives.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).not.toContain('failed');
    expect(pairwise).toMatchObject({
      pairs: 5,
      unsteady: [],
      breaking: [
        {
          alternatives: [{ decision: 'success-status' }, { decision: 'invalid-request-status' }],
          exitCode: 7,
          output: '202 and 422 <together>',
          firstOther: { path: CONTRACT, status: 202 },
        },
      ],
    });
  });

  test('names a pair that a third alternative hides, and does not say that it passed', async () => {
    const file = join(fixtureFolder, 'hidden.xml');
    const args = ['--junit', file, ...PAIRWISE, ...only('invalid-cursor')];
    const { exitCode, stdout } = await matrix(args, BREAKS_BY_A_PAIR);
    expect([exitCode, stdout]).toEqual([0, stdout]);
    expect(stdout).toContain(
      `not together, perhaps because a third hides one of them:\n  ${PAIR},\n  invalid-cursor=`,
    );
    expect(readFileSync(file, 'utf8')).toMatch(
      /name="success-status=202 \+ invalid-request-status=422"><skipped message="not seen together">/,
    );
  });

  test('leaves alternatives that break it alone out of the pairs', async () => {
    const { exitCode, stdout } = await matrix(
      PAIRWISE,
      client(
        `if ((await call('${CONTRACT}', undefined, 'DELETE')).status !== 200) process.exit(1);`,
      ),
    );
    expect(exitCode).toBe(1);
    expect(stdout).toContain('under 3 alternatives and 1 pair\n');
    expect(stdout).toContain('The command depends on 1 decision:\n  success-status\n');
    expect(stdout).not.toContain('Together');
  });

  test('exits with 0 where no pair breaks it, or one that is accepted', async () => {
    const accept = writeFixture(`- ${PAIR.split(' + ').reverse().join(' + ')}\n`);
    const passing = await matrix(
      [...PAIRWISE, '--accept', accept],
      client("await call('/measurements')"),
    );
    expect(passing.exitCode).toBe(0);
    expect(passing.stdout).toContain('No alternative or pair breaks the command.');
    expect(passing.stdout).toContain(`Accepted, but breaks nothing:\n  ${PAIR}\n`);
    const accepted = await matrix([...PAIRWISE, '--accept', accept], BREAKS_BY_A_PAIR);
    expect(accepted.exitCode).toBe(0);
    expect(accepted.stdout).toContain(`Accepted:\n  ${PAIR}\n`);
  });

  test('runs what has failed once more, and says so if it passes', async () => {
    const marker = join(fixtureFolder, 'failed-once');
    const { exitCode, stdout } = await matrix(
      PAIRWISE,
      client(`
        import { existsSync, writeFileSync } from 'node:fs';
        await call('/measurements');
        const isCombination = process.env.USAGE_BILLING_MOCK_TOKEN.includes('combination');
        if (isCombination && !existsSync('${marker}')) {
          writeFileSync('${marker}', '');
          process.exit(1);
        }`),
    );
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/Flaky: failed, but not each time, .*:\n {2}success-status=\d+ \+ /);
    expect(stdout).not.toContain('breaks the command');
  });

  test.each([
    [['--pairwise', '--only', 'success-status'], '--pairwise needs alternatives for at least two'],
    [
      [...PAIRWISE, '--accept', writeFixture('- success-status=202 + repeat-delet=gone')],
      "Did you mean 'repeat-delete=gone'?",
    ],
    [
      [...PAIRWISE, '--accept', writeFixture('- success-status + repeat-delete=gone')],
      "expected id=value before and after ' + '",
    ],
  ])('refuses %j with exit code 2 and a sentence', async (args, sentence) => {
    const { exitCode, stdout, stderr } = await matrix(args, ['true']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('usage-billing-mock matrix --junit', () => {
  const xmlOf = async (args: readonly string[], command: readonly string[]) => {
    const file = join(fixtureFolder, 'matrix.xml');
    const { exitCode } = await matrix(['--junit', file, ...args], command);
    return { exitCode, xml: readFileSync(file, 'utf8') };
  };
  /** The names of the cases with this element. */
  const casesWith = (xml: string, element: string) =>
    [
      ...xml.matchAll(
        /<testcase classname="[\w.]+" name="([^"]+)"(?: time="[\d.]+")?(?:\/>|><(\w+).*?<\/testcase>)/gs,
      ),
    ]
      .filter(([, , kind = '']) => kind === element)
      .map(([, name]) => name);

  test('writes a case for the baseline, each alternative and each pair', async () => {
    const { exitCode, xml } = await xmlOf(PAIRWISE, BREAKS_BY_A_PAIR);
    expect(exitCode).toBe(1);
    expect(xml).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites>\n {2}<testsuite name="node /,
    );
    expect(xml).toContain('tests="8" failures="1" errors="0" skipped="1"');
    // The client deletes nothing twice.
    expect(casesWith(xml, 'skipped')).toEqual(['repeat-delete=gone']);
    expect(casesWith(xml, '')).toHaveLength(6);
    expect(casesWith(xml, '').slice(0, 3)).toEqual([
      ...['baseline', 'canary', 'success-status=202'],
    ]);
    expect(casesWith(xml, 'failure')).toEqual([PAIR]);
    expect(xml).toMatch(
      /<failure message="failed in [\d.]+ s with exit code 7">Which status does a successful call get\?\n[^<]*\nThe first exchange that differs from the baseline:\n {2}DELETE [^<]*\n\n202 and 422 &lt;together&gt;<\/failure>/,
    );
  });

  test('escapes what XML does not allow, and skips what is accepted or not run', async () => {
    const command = client(`
      if ((await call('${CONTRACT}', undefined, 'DELETE')).status === 202) {
        process.stdout.write('a & b\\u0000\\u001b[31m red \\ufffe' + ']]>' + 'x'.repeat(20_000) + ' the end');
        process.exit(3);
      }`);
    const accept = writeFixture('- success-status=202\n');
    const { exitCode, xml } = await xmlOf(['--accept', accept, ...PAIRWISE], command);
    expect(exitCode).toBe(0);
    expect(xml).toContain('tests="8" failures="0" errors="0" skipped="5"');
    expect(casesWith(xml, 'skipped')).toEqual([
      'success-status=202',
      'repeat-delete=gone',
      'invalid-request-status=422',
      'success-status=202 + repeat-delete=gone',
      PAIR,
    ]);
    expect(xml).toMatch(
      /<skipped message="accepted: failed in [\d.]+ s with exit code 3">Which status [^<]*\n\nx{7990,} the end<\/skipped>/,
    );
    expect(xml).toContain(
      '<skipped message="not run: success-status=202 alone breaks the command"></skipped>',
    );
    const failing = await xmlOf(ONLY, command);
    const forbidden = [...failing.xml].filter(
      (one) => one !== '\n' && (one < ' ' || one === '\ufffe'),
    );
    expect(forbidden).toEqual([]);
  });

  test('has the failure of a baseline that fails, or calls nothing', async () => {
    const failing = await xmlOf([], client("console.error('no luck'); process.exit(4);"));
    expect(failing.exitCode).toBe(1);
    expect(failing.xml).toContain('tests="1" failures="1"');
    expect(failing.xml).toMatch(
      /name="baseline" time="[\d.]+"><failure message="failed .* exit code 4">no luck</,
    );
    const idle = await xmlOf([], client(''));
    expect(idle.exitCode).toBe(2);
    expect(idle.xml).toContain('<failure message="passed without a request to the mock">');
  });

  test.each([
    [
      ['--junit', join(fixtureFolder, 'nowhere', 'matrix.xml')],
      "matrix.xml': its folder does not exist",
    ],
    [['--junit', fixtureFolder], 'it is a folder; name a file in it'],
    [['--junit', '--report'], "The file to write is '--report'; expected a path"],
    [['--junit', 'both', '--report', 'both'], 'Two flags name the file both'],
  ])('refuses %j before the first run', async (args, sentence) => {
    const { exitCode, stdout, stderr } = await matrix(args, client("await call('/measurements')"));
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('Baseline');
  });
});
