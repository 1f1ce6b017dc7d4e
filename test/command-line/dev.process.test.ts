import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newFolder } from '../support/fixture.js';
import { groupEnded, startProgram } from '../support/programs.js';

/** A copy of what `npm run dev` needs in a clone without a build. */
function copySources(): string {
  const folder = newFolder();
  const names = ['package.json', 'tsconfig.json', 'openapi.yaml', 'control.openapi.yaml'];
  for (const name of [...names, 'src', 'scripts', 'fixtures']) {
    cpSync(resolve(name), join(folder, name), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

describe('npm run dev', () => {
  const folder = copySources();
  const dev = startProgram('npm', ['run', 'dev', '--', '--port', '0'], { cwd: folder });

  test('serves the sources as they are, with the flags after --', async () => {
    await dev.printed('ready on ');
    const [, url = ''] = /ready on (\S+)\n/.exec(dev.stdout()) ?? [];
    expect((await fetch(`${url}/__control/ready`)).status).toBe(200);
  });

  test('starts again when a fixture has changed', async () => {
    const path = join(folder, 'fixtures/default.yaml');
    const text = readFileSync(path, 'utf8').replace(/^seed: \d+/m, 'seed: 4321');
    expect(text).toContain('seed: 4321');
    writeFileSync(path, text);
    await dev.logged('seed 4321');
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)('leaves nothing when npm gets %s', async (signal) => {
    const other = startProgram('npm', ['run', 'dev', '--', '--port', '0'], { cwd: folder });
    await other.printed('ready on ');
    other.kill(signal);
    // Its processes have its output.
    await other.ended();
    await groupEnded(other.pid);
  });
});
