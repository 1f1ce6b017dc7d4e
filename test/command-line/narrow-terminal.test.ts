import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { hasProgram } from '../support/certificates.js';

const hasScript = process.platform === 'linux' && hasProgram('script');
const [withScript, scriptNote] = hasScript ? [test, ''] : [test.skip, ' (no script here)'];
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill();
});

/** The lines that the command writes to a terminal of 40 columns, up to the one with this text. */
async function linesUpTo(end: string, args: string): Promise<string[]> {
  const command = `stty cols 40; "${process.execPath}" dist/cli.cjs ${args}`;
  const child = spawn('script', ['-qec', command, '/dev/null']);
  running.push(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  while (!output.includes(end)) await once(child.stdout, 'data');
  return stripVTControlCharacters(output).split(/[\r\n]+/);
}

/** Lines that are too long though they could be broken. */
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
