// A suite of 20 test files in two workers, in jest and vitest, over MSW and over the kit.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMockServer } from 'usage-billing-mock';

const FILES = 20;
const BENCH = fileURLToPath(new URL('./', import.meta.url));
/** Below bench/, where the packages are found. */
const WORK = `${BENCH}suite/work/`;
const MODULES = `${BENCH}../node_modules/`;
const RUNNERS = {
  jest: {
    args: ['--experimental-vm-modules', '--no-warnings', `${MODULES}jest/bin/jest.js`],
    // Without the limit, jest would run a few fast files in its own process.
    config: { maxWorkers: 2, workerIdleMemoryLimit: '4GB', watchman: false, transform: {} },
  },
  vitest: {
    args: [`${MODULES}vitest/vitest.mjs`, 'run'],
    config: { test: { globals: true, maxWorkers: 2 } },
  },
};

export async function measureSuite({ add, data, round }) {
  for (const [runner, { args, config }] of Object.entries(RUNNERS)) {
    for (const name of ['ours', 'MSW']) {
      const folder = join(WORK, `${runner}-${name}`);
      if (round === 0) await write(folder, runner, name, config, Math.min(FILES, data.most));
      const run = (...only) =>
        execFileSync('taskset', ['-c', '0,1', process.execPath, ...args, ...only], {
          ...{
            cwd: folder,
            env: { ...process.env, CI: 'true' },
            stdio: ['ignore', 'pipe', 'pipe'],
          },
        });
      // Fills the caches of the runner.
      if (round === 0) run('billing-1.test');
      const beganAt = performance.now();
      run();
      add(`20 test files in ${runner}, s`, name, (performance.now() - beganAt) / 1_000);
    }
  }
}

async function write(folder, runner, name, config, files) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, `${runner}.config.mjs`), `export default ${JSON.stringify(config)};`);
  const setUp = name === 'ours' ? `set-up-ours-${runner}.js` : 'set-up-MSW.js';
  cpSync(`${BENCH}suite/${setUp}`, join(folder, 'set-up.js'));
  const state = (await createMockServer()).account('bench').exportState();
  const fixtures = { ...state, measurements: state.measurements.slice(0, 100) };
  writeFileSync(
    join(folder, 'fixtures.js'),
    `export const fixtures = ${JSON.stringify(fixtures)};`,
  );
  for (let nth = 1; nth <= files; nth += 1)
    cpSync(`${BENCH}suite/billing.test.js`, join(folder, `billing-${nth}.test.js`));
}
