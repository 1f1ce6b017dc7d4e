import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { watch } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createCompiledCode } from '../../src/server/compiled-code.js';
import { runCommand } from '../support/command.js';
import { newFolder } from '../support/fixture.js';

/** A folder with a file that requires another one, and a path for their compiled code. */
function writeCode(response = 'one') {
  const folder = newFolder();
  const main = join(folder, 'main.cjs');
  const part = join(folder, 'part.cjs');
  const kept = join(folder, 'compiled');
  const write = (text: string) => writeFileSync(part, `exports.response = () => '${text}';\n`);
  write(response);
  writeFileSync(
    main,
    `const { sep } = require('node:path');
const { response } = require('./part.cjs');
module.exports = { response: () => response() + sep, place: __filename };\n`,
  );
  /** Loads the file as a start does; returns its result, and what had to be compiled. */
  const start = () => {
    const code = createCompiledCode(kept);
    const { response, place } = code.load(main) as { response: () => string; place: string };
    const said = response();
    const before = namesIn(kept);
    for (const name of before) rmSync(join(kept, name));
    code.keep();
    const compiled = namesIn(kept).map((name) => name.split('-')[0]);
    return { said, place, compiled };
  };
  return { main, kept, write, start };
}

const authorized = { headers: { Authorization: 'Bearer t' } };

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

describe('compiled code', () => {
  test('runs as a CommonJS module does, with what it requires', () => {
    const { main, start } = writeCode();
    expect(start()).toMatchObject({ said: 'one/', place: main });
  });

  test('runs once, however often it is required', () => {
    const { main } = writeCode();
    const code = createCompiledCode(join(dirname(main), 'compiled'));
    expect(code.load(main)).toBe(code.load(main));
  });

  test('is kept for the next start, which compiles nothing', () => {
    const { start } = writeCode();
    expect(start().compiled).toEqual(['main.cjs', 'part.cjs']);
    expect(start()).toMatchObject({ said: 'one/', compiled: [] });
  });

  test('of a file that has changed is not taken, though it is as long as before', () => {
    const { write, start } = writeCode('one');
    start();
    write('two');
    expect(start()).toMatchObject({ said: 'two/', compiled: ['part.cjs'] });
  });

  test('of another version of Node, or of a file that is gone, makes room when more is kept', () => {
    const { kept, start } = writeCode();
    mkdirSync(kept);
    const own = `-${process.version}-${process.arch}`;
    const unused = ['main.cjs-v18.0.0-x64', `gone.cjs${own}`];
    const main = join(dirname(kept), 'main.cjs');
    const code = createCompiledCode(kept);
    for (const name of unused) writeFileSync(join(kept, name), 'compiled');
    code.load(main);
    code.keep();
    expect(namesIn(kept)).toEqual([`main.cjs${own}`, `part.cjs${own}`]);
    expect(start()).toMatchObject({ said: 'one/' });
  });

  test('is not kept where nothing can be written, and runs all the same', () => {
    const { kept, start } = writeCode();
    writeFileSync(kept, 'a file, where the folder should be');
    expect(start()).toMatchObject({ said: 'one/', compiled: [] });
  });

  test('leaves no unfinished file behind where it cannot be put in its place', () => {
    const { main, kept, start } = writeCode();
    const places = ['main.cjs', 'part.cjs'].map(
      (name) => `${name}-${process.version}-${process.arch}`,
    );
    for (const place of places) mkdirSync(join(kept, place), { recursive: true });
    const code = createCompiledCode(kept);
    expect(code.load(main)).toBeDefined();
    code.keep();
    expect(namesIn(kept)).toEqual(places);
    for (const place of places) rmSync(join(kept, place), { recursive: true });
    expect(start().compiled).toEqual(['main.cjs', 'part.cjs']);
  });
});

/** A copy of the built package. */
function copyPackage() {
  const folder = newFolder();
  for (const name of ['package.json', 'openapi.yaml', 'control.openapi.yaml', 'fixtures', 'dist'])
    cpSync(resolve(name), join(folder, name), { recursive: true });
  const kept = join(folder, 'dist/compiled');
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept);
  const finished = () => namesIn(kept).filter((name) => name.endsWith(process.arch));
  const place = (part: string) =>
    finished()
      .filter((name) => name.startsWith(part))
      .map((name) => join(kept, name))[0];
  const start = (env: NodeJS.ProcessEnv = {}) =>
    runCommand(['--port', '0'], env, join(folder, 'dist/cli.cjs'));

  /** Starts the command, calls it, and stops it when `isDone` holds for the kept code. */
  async function run(isDone: () => boolean) {
    const watching = new AbortController();
    const changes = watch(kept, watching)[Symbol.asyncIterator]();
    const command = start();
    const url = await command.ready();
    expect((await fetch(`${url}/measurements`, authorized)).status).toBe(200);
    while (!isDone()) await changes.next();
    watching.abort();
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
  }

  return { kept, finished, place, start, run };
}

describe('the command', () => {
  const { kept, finished, place, run } = copyPackage();

  test('keeps what it has compiled beside its code, and starts from it', async () => {
    await run(() => finished().length > 0);
    const times = () => finished().map((name) => [name, statSync(join(kept, name)).mtimeMs]);
    const before = times();
    expect([place('command-line'), place('mock-server')]).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
    await run(() => true);
    expect(times()).toEqual(before);
  });

  test('compiles anew where what was kept is cut short or damaged', async () => {
    const [command = '', server = ''] = [place('command-line'), place('mock-server')];
    const damaged = readFileSync(server);
    damaged.fill('nonsense', 10_000);
    writeFileSync(server, damaged);
    truncateSync(command, 1_000);
    await run(() => statSync(command).size > 1_000 && !readFileSync(server).equals(damaged));
  });

  test('keeps nothing with NODE_DISABLE_COMPILE_CACHE', async () => {
    const [without, beside] = [copyPackage(), copyPackage()];
    const command = without.start({ NODE_DISABLE_COMPILE_CACHE: '1' });
    const url = await command.ready();
    expect((await fetch(`${url}/measurements`, authorized)).status).toBe(200);
    // A command that started later has kept its code, so this one would have done so by now.
    await beside.run(() => beside.finished().length > 0);
    expect(namesIn(without.kept)).toEqual([]);
    command.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
  });
});
