import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { canMount, createSmallDisk, type SmallDisk } from './small-disk.js';

type Run = ReturnType<SmallDisk['run']>;

const start = useCommands('--log-level', 'warn');
const preloaded = (name: string) => ({
  NODE_OPTIONS: `--require ${resolve(`test/chaos/${name}.cjs`)}`,
});
const HASTENED = preloaded('hastened-saves');
const BEARER = { Authorization: 'Bearer t' };
const FILL = 'dd if=/dev/zero of=filler status=none || true';

/** Calls the service or the control plane; returns the status. */
async function call(url: string, method: string, path: string, body?: object): Promise<number> {
  const headers = { ...BEARER, 'Content-Type': 'application/json' };
  const sent = body && { body: JSON.stringify(body) };
  const response = await fetch(`${url}${path}`, { method, headers, ...sent });
  await response.text();
  return response.status;
}

const put = (url: string, id: string, name = 'n') =>
  call(url, 'PUT', `/__control/customers/${id}`, { id, name });
/** Reads a page of measurements with a header field that makes its journal line long. */
const page = (url: string, character = 'a') =>
  fetch(`${url}/measurements?limit=1`, {
    headers: { ...BEARER, 'X-Request-Id': character.repeat(4_000) },
  }).then(({ status }) => status);

function errorsOf({ stderr }: Command, file: string): string[] {
  return stderr()
    .split('\n')
    .filter((line) => line.includes(file));
}

/** Starts the command where it must fail, and waits until it has ended for that reason. */
async function endedStart(args: readonly string[], run: Run, env = {}): Promise<Command> {
  let command: Command | undefined;
  const running: Run = (...given) => {
    command = run(...given);
    return command;
  };
  await expect(start(args, env, running)).rejects.toThrow('The command ended');
  if (!command) throw new Error('It was not run.');
  expect(await command.ended()).toBe(2);
  return command;
}

async function stopped(command: Command): Promise<void> {
  command.kill('SIGTERM');
  expect(await command.ended()).toBe(0);
}

const whereMountsWork = canMount ? describe : describe.skip;
const needsMounts = canMount ? '' : ' (skipped: this user may not mount a disk)';

whereMountsWork(`a disk that is full${needsMounts}`, () => {
  test('keeps the last good state file; it is saved again once there is space', async () => {
    const disk = createSmallDisk();
    const file = disk.path('state.json');
    const { command, url } = await start(['--state-file', file], HASTENED, disk.run(':'));
    const seen = disk.seenFromOutside(command, 'state.json');
    const has = (text: string) => existsSync(seen) && readFileSync(seen, 'utf8').includes(text);
    await put(url, 'kept');
    await until(() => has('"kept"'));
    for (let outage = 1; outage < 3; outage += 1) {
      expect(await put(url, 'big', 'x'.repeat(100_000))).toBe(200);
      await until(() => errorsOf(command, file).length === outage);
      for (let nth = 0; nth < 20; nth += 1) expect(await put(url, `${outage}-${nth}`)).toBe(200);
      expect(has('"big"')).toBe(false);
      expect(() => JSON.parse(readFileSync(seen, 'utf8'))).not.toThrow();
      expect(readdirSync(disk.seenFromOutside(command))).toContain('state.json');
      await call(url, 'DELETE', '/__control/customers/big');
      await until(() => has(`"${outage}-19"`));
    }
    expect(readdirSync(disk.seenFromOutside(command))).toEqual(['state.json', 'state.json.lock']);
    await stopped(command);
    expect(errorsOf(command, file)).toEqual(
      Array.from({ length: 2 }, () =>
        expect.stringMatching(
          / error Cannot write the state file '.*': the disk is full\. .*\. Changes are not saved until writing succeeds\.$/,
        ),
      ),
    );
  });

  test('cuts a line of the journal file, which goes on once there is space', async () => {
    const disk = createSmallDisk();
    const file = disk.path('journal.jsonl');
    const run = disk.run('head -c 40000 /dev/zero > filler');
    const { command, url } = await start(['--journal-file', file], {}, run);
    const text = () => readFileSync(disk.seenFromOutside(command, 'journal.jsonl'), 'utf8');
    const linesOf = () => {
      const lines = text().split('\n').filter(Boolean);
      // Each failure may have cut one.
      return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line));
    };
    for (let nth = 0; nth < 30; nth += 1) expect(await page(url)).toBe(200);
    await command.logged('the disk is full');
    const kept = linesOf().length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(30);
    rmSync(disk.seenFromOutside(command, 'filler'));
    expect(await page(url, 'b')).toBe(200);
    // The last of the thirty may still be under way.
    await until(() => linesOf().at(-1).id === 31);
    expect(linesOf().length).toBeGreaterThan(kept);
    await stopped(command);
    expect(errorsOf(command, file)).toEqual([
      expect.stringMatching(
        / error Cannot write the journal file '.*': the disk is full; requests are missing until writing succeeds\.$/,
      ),
    ]);
  });

  test('ends a start with a ready file, and leaves nothing of it', async () => {
    const disk = createSmallDisk();
    const file = disk.path('ready.json');
    const env = { ...preloaded('listed-at-end'), LISTED: disk.path('') };
    const command = await endedStart(['--ready-file', file], disk.run(FILL), env);
    expect(command.stderr()).toContain(
      `usage-billing-mock: Cannot write the ready file '${file}': the disk is full. Free some space, or use another path.\nLeft: filler\n`,
    );
    expect(command.stdout()).toBe('');
  });
});

whereMountsWork(`a disk that is read-only${needsMounts}`, () => {
  test.each([
    ['--state-file', 'state file'],
    ['--journal-file', 'journal file'],
    ['--ready-file', 'ready file'],
  ])('ends a start with %s on it, and says why', async (flag, what) => {
    const disk = createSmallDisk(undefined, 'ro');
    const file = disk.path('file');
    const command = await endedStart([flag, file], disk.run(':'));
    expect(command.stderr()).toMatch(
      new RegExp(`^usage-billing-mock: Cannot write the ${what} '${file}': .*read-only.*\\.\n$`),
    );
  });

  test('keeps the last state file when it becomes so, and says so once', async () => {
    const disk = createSmallDisk();
    const file = disk.path('state.json');
    const { command, url } = await start(['--state-file', file], HASTENED, disk.run(':'));
    const seen = disk.seenFromOutside(command, 'state.json');
    const content = () => (existsSync(seen) ? readFileSync(seen, 'utf8') : '');
    await put(url, 'kept');
    await until(() => content().includes('"kept"'));
    disk.makeReadOnly(command);
    for (let nth = 0; nth < 20; nth += 1) expect(await put(url, `lost-${nth}`)).toBe(200);
    await until(() => errorsOf(command, file).length > 0);
    expect(content()).not.toContain('lost');
    await stopped(command);
    expect(errorsOf(command, file)).toEqual([
      expect.stringContaining(
        'its folder is read-only. Use another path. Changes are not saved until',
      ),
    ]);
  });
});
