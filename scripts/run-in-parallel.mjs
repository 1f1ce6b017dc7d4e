// Runs scripts of package.json at the same time, and prefixes their output with the script's name.
// Fails if one of them does.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { AS_NPM } from './npm.mjs';

for (const name of process.argv.slice(2)) {
  const run = spawn('npm', ['run', '--silent', name], AS_NPM);
  for (const output of [run.stdout, run.stderr])
    createInterface(output).on('line', (line) => console.log(`[${name}] ${line}`));
  run.on('close', (code) => {
    if (code === 0) return;
    console.error(`${name} failed.`);
    process.exitCode = 1;
  });
}
