// Calls in the process of the tests, each measure in a fresh process.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { operationsOf } from './data.mjs';

const FOLDER = fileURLToPath(new URL('./in-process/', import.meta.url));
const NAMES = { ours: 'ours', MSW: 'msw' };

export async function measureInProcess({ add, data, say }) {
  for (const [name, module] of Object.entries(NAMES)) {
    const measure = (...args) =>
      node([`${FOLDER}child.mjs`, module, JSON.stringify(data), ...args]);
    add('in process: first response, ms', name, measure());
    for (const operation of operationsOf(data)) {
      say(`${name}: ${operation.name}`);
      add(`in process: ${operation.name}, CPU µs`, name, measure(operation.name));
    }
  }
  add(
    '2,000 accounts over large: heap, MB',
    'ours',
    node(['--expose-gc', `${FOLDER}accounts.mjs`]),
  );
}

function node(args) {
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}
