import { stripVTControlCharacters } from 'node:util';
import { hasProgram } from '../support/certificates.js';
import { startProgram } from '../support/programs.js';

const hasScript = process.platform === 'linux' && hasProgram('script');
const [withScript, scriptNote] = hasScript ? [test, ''] : [test.skip, ' (no script here)'];

/** The lines that the command writes to a terminal of 40 columns, up to the one with this text. */
async function linesUpTo(end: string, args: string): Promise<string[]> {
  const command = `stty cols 40; "${process.execPath}" dist/cli.cjs ${args}`;
  const terminal = startProgram('script', ['-qec', command, '/dev/null']);
  await terminal.printed(end);
  return stripVTControlCharacters(terminal.stdout()).split(/[\r\n]+/);
}

/** Lines that are too long although they could be broken. */
function tooLong(lines: readonly string[]): string[] {
  return lines.filter((line) => line.length > 40 && line.trim().includes(' '));
}

describe(`on a terminal of 40 columns${scriptNote}`, () => {
  withScript('the banner is wrapped, but for its URLs and its calls to paste', async () => {
    const lines = await linesUpTo('Ctrl+C', '--port 0 --host 0.0.0.0');
    const isWhole = (line: string) => /^curl | http:\S+$|X-Control-Token: /.test(line);
    expect(tooLong(lines).filter((line) => !isWhole(line))).toEqual([]);
    expect(lines).toContain('           account, for example my-token');
    expect(lines.filter((line) => /^curl .*'http\S+'$/.test(line))).toHaveLength(3);
  });

  withScript('decisions are wrapped', async () => {
    const lines = await linesUpTo('rate-limit', 'decisions');
    expect(tooLong(lines)).toEqual([]);
    expect(lines).toContain('repeat-delete (section 3)');
  });
});
