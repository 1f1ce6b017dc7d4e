import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newFolder } from './fixture.js';
import { startProgram } from './programs.js';

/** A copy of the project, to change as a contributor would. */
export interface CopyOfProject {
  /** Writes a new file. */
  write(file: string, text: string): void;
  /** Replaces a text in a file. */
  replace(file: string, known: string, text: string): void;
  /** Runs a script of the package, or another program; returns its exit code and output. */
  run(...command: readonly [string, ...string[]]): Promise<{ code: number | null; output: string }>;
}

/** Copies the project without installed packages, which are shared, and without built files. */
export function copyProject(): CopyOfProject {
  const folder = newFolder();
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files) cpSync(file, join(folder, file));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  return {
    write,
    replace(file, known, text) {
      const whole = readFileSync(join(folder, file), 'utf8');
      if (!whole.includes(known)) throw new Error(`${file} does not contain ${known}`);
      write(
        file,
        whole.replace(known, () => text),
      );
    },
    async run(program, ...args) {
      const run = startProgram(program, args, { cwd: folder, env: { ...process.env, CI: 'true' } });
      return { code: await run.ended(), output: run.output() };
    },
  };
}
