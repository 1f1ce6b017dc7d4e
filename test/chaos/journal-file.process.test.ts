import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { newFolder } from '../support/fixture.js';

const start = useCommands('--log-level', 'warn');
const toOld = (file: string) => renameSync(file, `${file}.old`);

const HEADER = '{"usage-billing-mock":"journal","version":1}';

/** The numbers of the requests in the file, in which every line must be complete. */
function idsIn(file: string): number[] {
  if (!existsSync(file)) return [];
  const [header = '', ...lines] = readFileSync(file, 'utf8').split('\n');
  expect(['', HEADER]).toContain(header);
  return lines.slice(0, -1).map((line) => JSON.parse(line).id);
}

describe('a journal file', () => {
  /** What other processes do to the file, and which of the first requests they leave. */
  const deeds: readonly [string, (file: string) => void, left: number[]][] = [
    ['removed', rmSync, []],
    ['renamed', toOld, [1, 2]],
    ['replaced by an empty one', (file) => [toOld(file), writeFileSync(file, '')], [1, 2]],
    ['emptied', truncateSync, []],
  ];

  test.each(deeds)('that is %s has the requests that follow', async (...row) => {
    const [, act, left] = row;
    const file = join(newFolder(), 'journal.jsonl');
    const { command, url } = await start(['--journal-file', file]);
    const headers = { Authorization: 'Bearer t' };
    const request = () => fetch(`${url}/measurements?limit=1`, { headers });
    for (let nth = 0; nth < 2; nth += 1) expect((await request()).status).toBe(200);
    await until(() => idsIn(file).length === 2);

    act(file);
    for (let nth = 0; nth < 2; nth += 1) expect((await request()).status).toBe(200);
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
    expect(idsIn(file)).toEqual([3, 4]);
    expect(idsIn(`${file}.old`)).toEqual(left);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(command.stderr()).not.toMatch(/ (warn|error) /);
  });
});
