// Measures what `exec` and a run of `matrix` add to a suite that is given a base URL.
import type { Bench } from '../harness/bench.js';
import { startTarget } from '../harness/start-target.js';
import { ROOT, type Target } from '../harness/targets.js';
import { BY_URL, RUNNERS, type SuiteRunner, writeProject } from '../suite/project.js';
import { runSuite } from '../suite/run.js';

export const ALONE = 'the suite alone';
/** With three alternatives, `matrix` runs the suite four times. */
export const COMMANDS: { name: string; args: string[]; runs: number }[] = [
  { name: 'exec', args: ['exec'], runs: 1 },
  { name: 'matrix', args: ['matrix', '--no-canary', '--only', 'measurement-order'], runs: 4 },
];
export const WAYS = [ALONE, ...COMMANDS.map(({ name }) => name)];
export const SECONDS = 'seconds of a suite by URL';

/** One round: over a mock that is already running, then under each command. */
export async function measureCommands({ cores, data, ...bench }: Bench, round: number) {
  const runner = RUNNERS[0] as SuiteRunner;
  const folder = writeProject(data, runner, BY_URL);
  const add = async (name: string, run: ReturnType<typeof runSuite>, runs = 1) =>
    bench.results.add(SECONDS, name, (await run)[''] / runs);
  const ours = bench.targets.find(({ kind }) => kind === 'ours') as Target;
  const onAll = { ...bench, data, cores: { ...cores, prefix: cores.all } };
  const server = await startTarget(onAll, ours, 'start');
  const variables = { USAGE_BILLING_MOCK_URL: `http://127.0.0.1:${server.port}` };
  // Fills the caches of the runner.
  if (round === 0) await runSuite(cores, runner, folder, ['billing-1.test'], variables);
  await add(ALONE, runSuite(cores, runner, folder, [], variables)).finally(server.stop);
  for (const { name, args, runs } of COMMANDS) {
    const command = [`${ROOT}dist/cli.cjs`, ...args, '--', process.execPath, ...runner.args];
    await add(name, runSuite(cores, { ...runner, args: command }, folder), runs);
  }
}
