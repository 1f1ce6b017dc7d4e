import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixtureFolder, writeFixture } from '../support/fixture.js';
import { client, matrix } from '../support/matrix.js';

const CONTRACT = '/contracts/65b000000000000000000001';

const ONLY = ['success-status=202', 'repeat-delete=gone', 'invalid-request-status'].flatMap(
  (name) => ['--only', name],
);

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

  test('writes a case for the baseline, the canary and each alternative', async () => {
    const { exitCode, xml } = await xmlOf(
      ONLY,
      client(`
        await call('${CONTRACT}', undefined, 'DELETE');
        const { status } = await call('/measurements?cursor=none');
        if (status === 422) { console.log('not <expected>'); process.exit(7); }`),
    );
    expect(exitCode).toBe(1);
    expect(xml).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites>\n {2}<testsuite name="node /,
    );
    expect(xml).toContain('tests="6" failures="2" errors="0" skipped="1"');
    // The client deletes nothing twice.
    expect(casesWith(xml, 'skipped')).toEqual(['repeat-delete=gone']);
    expect(casesWith(xml, '')).toEqual(['baseline', 'canary', 'success-status=202']);
    expect(casesWith(xml, 'failure')).toEqual(['invalid-request-status=422', 'repeat-delete']);
    expect(xml).toMatch(
      /<failure message="failed in [\d.]+ s with exit code 7">Which status does an invalid body or parameter get\?\n[^<]*\nThe first exchange that differs from the baseline:\n {2}GET [^<]*\n\nnot &lt;expected&gt;<\/failure>/,
    );
  });

  test('escapes what XML does not allow, and skips what is accepted or not touched', async () => {
    const command = client(`
      if ((await call('${CONTRACT}', undefined, 'DELETE')).status === 202) {
        process.stdout.write('a & b\\u0000\\u001b[31m red \\ufffe' + ']]>' + 'x'.repeat(20_000) + ' the end');
        process.exit(3);
      }`);
    const accept = writeFixture('- success-status=202\n');
    const { exitCode, xml } = await xmlOf(['--accept', accept, ...ONLY], command);
    expect(exitCode).toBe(1);
    expect(xml).toContain('tests="7" failures="2" errors="0" skipped="3"');
    expect(casesWith(xml, 'failure')).toEqual(['repeat-delete', 'invalid-request-status']);
    expect(casesWith(xml, 'skipped')).toEqual([
      'success-status=202',
      'repeat-delete=gone',
      'invalid-request-status=422',
    ]);
    expect(xml).toMatch(
      /<skipped message="accepted: failed in [\d.]+ s with exit code 3">Which status [^<]*\n\nx{7990,} the end<\/skipped>/,
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

  test('refuses the name of a flag as its file before the first run', async () => {
    const args = ['--junit', '--report'];
    const { exitCode, stdout, stderr } = await matrix(args, client("await call('/measurements')"));
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain("The file to write is '--report'; expected a path");
    expect(stderr).not.toContain('Baseline');
  });
});
