import { cpSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import module from 'node:module';
import { join, resolve } from 'node:path';
import { runCommand } from '../support/command.js';
import { newFolder } from '../support/fixture.js';

const [testKept, note] =
  'enableCompileCache' in module ? [test, ''] : [test.skip, ' (this Node keeps none)'];

testKept(`the command starts from the code that Node kept beside it${note}`, async () => {
  const folder = newFolder();
  for (const name of ['package.json', 'openapi.yaml', 'control.openapi.yaml', 'fixtures', 'dist'])
    cpSync(resolve(name), join(folder, name), { recursive: true });
  const kept = join(folder, 'dist/compiled');
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept);

  /** The files of kept code, and when each was written. */
  const written = () =>
    readdirSync(kept, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, statSync(path).mtimeMs]);
  async function run(isDone: () => boolean) {
    const watching = new AbortController();
    const changes = watch(kept, watching)[Symbol.asyncIterator]();
    const command = runCommand(['--port', '0'], {}, join(folder, 'dist/cli.cjs'));
    const url = await command.ready();
    const headers = { Authorization: 'Bearer t' };
    expect((await fetch(`${url}/measurements`, { headers })).status).toBe(200);
    while (!isDone()) await changes.next();
    watching.abort();
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
  }

  await run(() => readdirSync(kept).length > 0);
  const first = written();
  expect(first).not.toEqual([]);
  // What Node rejects is compiled and written again.
  await run(() => true);
  expect(written()).toEqual(first);
});
