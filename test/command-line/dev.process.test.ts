import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newFolder } from '../support/fixture.js';
import { startProgram } from '../support/programs.js';

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

  test.each([
    ['a source', 'src/command-line/banner.ts', "'Try:'", "'Try this:'", 'Try this:'],
    ['a fixture', 'fixtures/default.yaml', /^seed: \d+/m, 'seed: 4321', 'seed 4321'],
  ])('starts again when %s has changed', async (_what, file, before, after, sign) => {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8').replace(before, after);
    expect(text).toContain(after);
    writeFileSync(path, text);
    await dev.logged(sign);
  });
});
