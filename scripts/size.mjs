// Prints how large the project is; with --check fails where a bound is exceeded.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { importsOf, sourceFiles } from './import-graph.mjs';

/** The most there may be of each; lower a bound when less is reached. */
const BOUNDS = {
  'files in src/': 355,
  'lines in src/': 36_965,
  'names that two files in src/ have': 0,
  'files under 40 lines with one importer': 6,
  'lines of code in test/rigour and bench': 7_775,
  'packages in node_modules': 550,
  'MB in node_modules': 285,
};

const SHORT = 40;
const CODE = /\.[cm]?[jt]sx?$/;

const committed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());

function linesOf(/** @type {string} */ file) {
  return readFileSync(file, 'utf8').replace(/\n$/, '').split('\n');
}

function linesIn(/** @type {readonly string[]} */ files) {
  return files.reduce((sum, file) => sum + linesOf(file).length, 0);
}

/** How many lines are code, comments and blank. */
function kindsOfLines(/** @type {readonly string[]} */ files) {
  const counts = { code: 0, comments: 0, blank: 0 };
  for (const file of files) {
    let isInComment = false;
    for (const line of linesOf(file).map((line) => line.trim())) {
      isInComment ||= /^(\{)?\/\*/.test(line);
      const isComment = isInComment || line.startsWith('//');
      counts[isComment ? 'comments' : line === '' ? 'blank' : 'code']++;
      if (line.includes('*/')) isInComment = false;
    }
  }
  return counts;
}

/** @template Value */
function groupBy(
  /** @type {Iterable<Value>} */ values,
  /** @type {(value: Value) => string} */ of,
) {
  /** @type {Map<string, Value[]>} */
  const groups = new Map();
  for (const value of values) groups.set(of(value), [...(groups.get(of(value)) ?? []), value]);
  return groups;
}

/** What npm has installed; what tools keep beside it is not counted. */
function installed() {
  const packages = Object.keys(
    JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8')).packages,
  ).length;
  const folders = readdirSync('node_modules').filter((name) => !name.startsWith('.'));
  const bytes = folders
    .flatMap((name) =>
      readdirSync(join('node_modules', name), { recursive: true, withFileTypes: true }),
    )
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return { packages, megabytes: Math.round(bytes / 1e6) };
}

const tools = committed.filter((file) => /^(test\/rigour|bench)\//.test(file) && CODE.test(file));
const twice = [...groupBy(sourceFiles, (file) => basename(file))].filter(
  ([, files]) => files.length > 1,
);
const importers = groupBy(
  new Set(sourceFiles.flatMap((from) => importsOf(from).map(({ to }) => `${to} ${from}`))),
  (edge) => edge.split(' ')[0] ?? '',
);
const short = sourceFiles.filter(
  (file) => linesOf(file).length < SHORT && importers.get(file)?.length === 1,
);
const { packages, megabytes } = installed();

/** @type {Record<keyof typeof BOUNDS, number>} */
const sizes = {
  'files in src/': sourceFiles.length,
  'lines in src/': linesIn(sourceFiles),
  'names that two files in src/ have': twice.length,
  'files under 40 lines with one importer': short.length,
  'lines of code in test/rigour and bench': linesIn(tools),
  'packages in node_modules': packages,
  'MB in node_modules': megabytes,
};

function showAll() {
  const { code, comments, blank } = kindsOfLines(sourceFiles);
  console.log(`src/: ${code} lines of code, ${comments} of comments, ${blank} blank\n`);
  const folders = groupBy(committed, (file) =>
    file.includes('/') ? (file.split('/')[0] ?? '') : '.',
  );
  for (const [folder, files] of [...folders].sort())
    console.log(`${folder}: ${files.length} files, ${linesIn(files)} lines`);
  console.log('\nNames that two files in src/ have:');
  for (const [, files] of twice) console.log(`  ${files.join(', ')}`);
  console.log(`\nFiles under ${SHORT} lines with one importer:`);
  for (const file of short) console.log(`  ${importers.get(file)?.[0]?.replace(' ', ', for ')}`);
  console.log('');
  for (const [what, bound] of Object.entries(BOUNDS))
    console.log(`${what}: ${sizes[/** @type {keyof typeof BOUNDS} */ (what)]} of at most ${bound}`);
}

if (!process.argv.includes('--check')) showAll();
else
  for (const [what, bound] of Object.entries(BOUNDS)) {
    const size = sizes[/** @type {keyof typeof BOUNDS} */ (what)];
    if (size <= bound) continue;
    console.error(
      `There are ${size} ${what}, and at most ${bound} may be: \`npm run size\` lists them.`,
    );
    process.exitCode = 1;
  }
