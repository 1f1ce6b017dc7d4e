// Runs scripts of package.json: those before `--` at the same time, then the others in turn. Says how
// long each took, and shows the output of those that fail or run alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { AS_NPM } from './npm.mjs';

/** Runs a script to its end; resolves to whether it passed. */
async function passes(/** @type {string} */ name, isAlone = false) {
  const startedAt = performance.now();
  // Some tools color a file as they color a terminal.
  const env = isAlone ? process.env : { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
  const stdio = isAlone ? 'inherit' : 'pipe';
  const run = spawn('npm', ['run', '--silent', name], { ...AS_NPM, env, stdio });
  let output = '';
  for (const stream of [run.stdout, run.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const [code] = await once(run, 'close');
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${code === 0 ? '' : output}${name} ${code === 0 ? 'passed' : 'failed'} (${seconds} s)`,
  );
  return code === 0;
}

const names = process.argv.slice(2);
const first = names.slice(0, names.indexOf('--'));
console.log(`Checking ${names.filter((name) => name !== '--').join(', ')}`);
const passed = await Promise.all(first.map((name) => passes(name)));
if (passed.includes(false)) process.exit(1);
for (const name of names.slice(first.length + 1)) if (!(await passes(name, true))) process.exit(1);
