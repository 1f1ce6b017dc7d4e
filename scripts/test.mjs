// Runs tests: those of the run that the first argument names, or those at the paths among the other
// arguments, whatever their stage. The rest is passed on to jest.
import { spawnSync } from 'node:child_process';

// Expressions over the paths of tests.
const GATE = String.raw`/[\w-]+\.test\.ts$`;
const CI = String.raw`\.(?:ci|process)\.test\.ts$`;
const WEEKLY = String.raw`\.weekly\.test\.ts$`;

/**
 * The tests that a change needs, by the paths that it touches: all of the gate and of CI unless a
 * line says less.
 *
 * @type {[changed: RegExp, tests: string[]][]}
 */
const NEEDS = [
  [/^(?:src\/tools|test)\/settle\//, ['/test/settle/']],
  [/^(?:src\/core\/decisions\/|openapi\.yaml$)/, [GATE, CI, '/test/settle/', '/test/matrix/']],
  [/^(?:src\/tools|test)\/matrix\//, ['/test/matrix/', '/test/coverage/', '/test/documentation/']],
  [/^src\/mock\/coverage\//, [GATE, CI, '/test/matrix/', '/test/coverage/']],
  [/^(?:src|test)\/page\//, ['/test/page/', '/test/control-plane/page', '/test/budgets/']],
  [
    /^(?:src\/mock\/control-plane\/|control\.openapi\.yaml$)/,
    [GATE, CI, '/test/page/', '/test/control-plane/'],
  ],
  [/^(?:scripts\/|package(?:-lock)?\.json$)/, [GATE, CI, '/test/package/']],
  [
    /^(?:src\/kits|test\/kit)\//,
    ['/test/kit/', '/test/package/', '/test/budgets/', '/test/documentation/'],
  ],
  [/^(?:docs\/|examples\/|skills\/|[\w-]+\.md$)/, ['/test/documentation/', '/test/examples/']],
  [/^(?:\.github|bench)\//, ['/test/documentation/']],
];

const RUNS = {
  gate: () => [GATE],
  ci: () => (IS_SETTLE_CHANGED ? [CI, 'test/settle/every-alternative'] : [CI]),
  weekly: () => [WEEKLY],
  changed: () => neededBy(changedSinceFetch()),
};

/** @param {string[] | undefined} changed  undefined if nobody knows */
function neededBy(changed) {
  if (changed === undefined) return [GATE, CI, ...NEEDS.flatMap(([, tests]) => tests)];
  const needed = changed.flatMap((path) => {
    if (path.endsWith('.test.ts')) return [path];
    return NEEDS.find(([paths]) => paths.test(path))?.[1] ?? [GATE, CI];
  });
  return [...new Set(needed)];
}

/** Paths that commits of the last seven days have changed: the weekly run has seen the others. */
function changedInAWeek() {
  const [isShallow] = git('rev-parse', '--is-shallow-repository') ?? [];
  return isShallow === 'false'
    ? git('log', '--since=7.days', '--name-only', '--format=')
    : undefined;
}

/** Paths that differ from the commit that was fetched last, those of new files among them. */
function changedSinceFetch() {
  const changed = git('diff', '--name-only', '--merge-base', 'origin/HEAD');
  const added = git('ls-files', '--others', '--exclude-standard') ?? [];
  return changed && [...changed, ...added];
}

function git(/** @type {string[]} */ ...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : undefined;
}

const [name = 'gate', ...rest] = process.argv.slice(2);
const IS_TITLE = /^(?:-t|--testNamePattern)$/;
const named = rest.filter((one, at) => /^[^-\d]/.test(one) && !IS_TITLE.test(rest[at - 1] ?? ''));
/**
 * Whether the last seven days changed what the tests of settle try: only its sweeps have ever
 * noticed a wrong verdict, so CI runs more of them then.
 */
const IS_SETTLE_CHANGED =
  name === 'ci' && neededBy(changedInAWeek()).some((path) => /^\/?test\/settle\//.test(path));
const patterns = named.length > 0 ? [] : RUNS[/** @type {keyof typeof RUNS} */ (name)]();
if (patterns.length + named.length === 0) {
  console.log('Nothing has changed.');
  process.exit();
}
const NODE = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const jest = [...NODE, 'node_modules/jest/bin/jest.js', '--ci', ...rest];
const sweeps = IS_SETTLE_CHANGED ? { SETTLE_CHANGED: 'true' } : {};
const chosen = patterns.length > 0 ? ['--testPathPatterns', ...patterns] : [];
const { status } = spawnSync(process.execPath, [...jest, ...chosen], {
  stdio: 'inherit',
  env: { ...process.env, ...sweeps },
});
if (name === 'gate' && named.length === 0)
  console.error(
    'Not run: the tests of CI, which start the command, a browser or a compiler, or take longer (npm run test:ci), and the weekly ones (npm run test:weekly). To run what your changes need: npm run test:changed.',
  );
process.exitCode = status ?? 1;
