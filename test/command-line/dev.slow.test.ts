import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fixtureFolder } from '../support/fixture.js';

/** A copy of what `npm run dev` needs in a clone in which nothing was built. */
function copySources(): string {
  const folder = mkdtempSync(join(fixtureFolder, 'clone-'));
  const names = ['package.json', 'tsconfig.json', 'openapi.yaml', 'control.openapi.yaml'];
  for (const name of [...names, 'src', 'scripts', 'fixtures']) {
    cpSync(resolve(name), join(folder, name), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Starts `npm run dev` in the folder, with what ends everything that it has started. */
function startDev(folder: string, ...flags: string[]) {
  const child = spawn('npm', ['run', 'dev', '--', ...flags], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const written = new EventEmitter();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      written.emit('text');
    });
  }
  const ended = once(child, 'close').then(() => {
    throw new Error(`npm run dev ended: ${output}`);
  });
  return {
    /** Waits until the output has this text, and returns the output. */
    async told(text: string): Promise<string> {
      while (!output.includes(text)) {
        await Promise.race([once(written, 'text'), ended]);
      }
      return output;
    },
    async end() {
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await ended.catch(() => {});
    },
  };
}

describe('npm run dev', () => {
  const folder = copySources();
  const dev = startDev(folder, '--port', '0');
  afterAll(() => dev.end());

  test('serves the sources as they are, with the flags after --', async () => {
    const [, url = ''] = /ready on (\S+)\n/.exec(await dev.told('ready on ')) ?? [];
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
    await dev.told(sign);
  });
});
