// Rehearses a release, then installs the packed package into small projects of every kind, with
// their tools, and runs their tests on the newest version of Node that the package supports, those of
// the commonest kinds on the oldest, too; with --every all of them on each version, and with older
// tools, too. `--only NAME` runs only the projects with that name, `--only release` only the release.
// The tests run without a network if the system can cut it off.
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CHROMIUM, PROJECTS, RELEASE, SOURCES, TOLD } from './matrix-projects.mjs';
import { packInto } from './pack-into.mjs';
import { canCutNetwork, withoutNetwork } from './without-network.mjs';

const TOP = fileURLToPath(new URL('..', import.meta.url));
const WORKFLOW = join(TOP, '.github/workflows/release.yml');
const EVERY_VERSION = ['20', '22', '24', '26'];

/** Far longer than any command takes. */
const TIMEOUT_MS = 300_000;

const { every: isEvery, only } = parseArgs({
  options: { every: { type: 'boolean' }, only: { type: 'string' } },
}).values;
const versions = isEvery ? EVERY_VERSION : [EVERY_VERSION[0], EVERY_VERSION.at(-1)];
const isWanted = ({ name }) => only === undefined || name === only;
const runnable = isEvery
  ? PROJECTS.flatMap((project) => [project, ...withOlderTools(project)])
  : PROJECTS.filter(({ isWeekly }) => !isWeekly);
const projects = runnable.filter(isWanted);
if (projects.length === 0 && !isWanted(RELEASE)) {
  const names = new Set([RELEASE, ...runnable].map(({ name }) => name));
  console.error(`No project is called '${only}'; expected one of ${[...names].join(', ')}.`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'projects-'));
/** Ends the other commands when one has failed. */
const ended = new AbortController();
process.on('exit', () => {
  ended.abort();
  rmSync(folder, { recursive: true, force: true });
});

/** Settings for every command; Next.js would report its use. */
const VARIABLES = { NODE_OPTIONS: '', FORCE_COLOR: '0', NEXT_TELEMETRY_DISABLED: '1' };

/** Runs a command to its end; prints its output and stops if the outcome is not as expected. */
async function run(what, file, args, { cwd = folder, mustFail = false } = {}) {
  const env = { ...process.env, ...VARIABLES };
  const { signal } = ended;
  const options = { cwd, env, signal, timeout: TIMEOUT_MS, maxBuffer: 64 * 2 ** 20 };
  const { error, stdout, stderr } = await new Promise((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) => resolve({ error, stdout, stderr }));
  });
  const output = `${stdout}${stderr}`;
  // An error's code is a string if the command could not run, and null if it was killed.
  if (mustFail ? error?.code > 0 : !error) return { stdout, output };
  stop(output, `${what} ${error ? `failed: ${error.message.split('\n')[0]}` : 'passed'}.`);
}

function stop(output, sentence) {
  console.error(`${output}\n${sentence}`);
  process.exit(1);
}

function versionOf(name, place) {
  return JSON.parse(readFileSync(join(place, 'node_modules', name, 'package.json'), 'utf8'))
    .version;
}

async function installTools(place, tools) {
  mkdirSync(place, { recursive: true });
  if (!existsSync(join(place, 'package.json'))) {
    writeFileSync(join(place, 'package.json'), '{ "private": true }');
  }
  const install = ['install', '--no-audit', '--no-fund', '--prefix', place, ...tools];
  await run(`npm ${install.join(' ')}`, 'npm', install, { cwd: place });
}

/** Installs the package and the tools of all projects in one folder. */
async function installProjects(tarball, place) {
  const own = projects.filter((project) => placeOf(project) === place);
  const tools = [...new Set(own.flatMap((project) => project.tools))];
  const named = tools.map((tool) => (/.@/.test(tool) ? tool : `${tool}@${versionOf(tool, TOP)}`));
  cpSync(SOURCES, place, { recursive: true });
  await installTools(place, [tarball, ...named]);
  const installed = tools.map(nameOf);
  console.log(`Tools: ${installed.map((name) => `${name} ${versionOf(name, place)}`).join(', ')}`);
}

/** The name in `@types/jest@29`. */
function nameOf(tool) {
  return tool.replace(/(.)@.*/, '$1');
}

/** The project again for each of its older sets of tools, in a folder beside that of the others. */
function withOlderTools({ older = [], fails, ...project }) {
  return older.map((others) => ({
    ...project,
    beside: others[0],
    tools: project.tools.map((tool) => others.find((one) => nameOf(one) === nameOf(tool)) ?? tool),
  }));
}

/** Checks the package's types, publishes it to a local registry, and uses it from there. */
async function rehearseRelease(tarball) {
  const cwd = join(folder, RELEASE.name);
  cpSync(RELEASE.source, cwd, { recursive: true });
  const install = ['install', '--no-audit', '--no-fund'];
  await run(`npm ${install.join(' ')} of the release`, 'npm', install, { cwd });
  const inRelease = async (what, command) => {
    const cut = withoutNetwork([process.execPath, ...command]);
    const { stdout } = await run(`${what} of the release`, ...cut, { cwd });
    return stdout.trim();
  };
  const { exports } = JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8'));
  for (const flags of RELEASE.flagsFor(exports))
    await inRelease('attw', [...RELEASE.attw, tarball, ...flags]);
  console.log(`${RELEASE.name}: every entry has its types, however it is resolved`);
  const done = await inRelease('The rehearsal', ['rehearse.mjs', tarball, WORKFLOW]);
  console.log(`${RELEASE.name} on Node ${process.version}: ${done}`);
}

/** Installs a version of Node from its npm package. */
async function installNode(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const place = join(folder, `node-${version}`);
  await installTools(place, [`${name}@${version}`]);
  return join(place, 'node_modules', name, 'bin/node');
}

function placeOf({ beside = 'tools' }) {
  return join(folder, beside);
}

/** Whether a project is run on a version of Node. */
function isRunOn(version, { isCommon = false, oldestNode = 0 }) {
  const isWhole = isEvery || majorOf(version) === Number(EVERY_VERSION.at(-1));
  return majorOf(version) >= oldestNode && (isWhole || isCommon);
}

/** The projects whose commands of `once` have passed. */
const begun = new Set();

/** Runs the tests of a project, including those that must fail. */
async function runProject(node, version, project) {
  const { name, beside, once = [], run: each = [], fails = [], hasPages = false } = project;
  const commands = begun.has(project) ? each : [...once, ...each];
  begun.add(project);
  const cwd = join(placeOf(project), name);
  const what = `${beside ? `${name} (${beside})` : name} on Node ${version}`;
  for (const command of commands) await run(what, ...withoutNetwork([node, ...command]), { cwd });
  for (const command of fails) {
    const test = `${what}: the failing test`;
    const cut = withoutNetwork([node, ...command]);
    const { output } = await run(test, ...cut, { cwd, mustFail: true });
    const untold = TOLD.find((sentence) => !sentence.test(output));
    if (untold) stop(output, `${test} does not tell "${untold}".`);
  }
  const isTold = fails.length > 0 ? ', and a failing test tells what was asked' : '';
  const withoutPages =
    hasPages && !existsSync(CHROMIUM) ? ` (without its pages: there is no ${CHROMIUM})` : '';
  console.log(`${what}: passed${withoutPages}${isTold}`);
}

/** The major version in `v22.23.3`. */
function majorOf(version) {
  return Number(/\d+/.exec(version));
}

/** Calls `act` for each item, for as many at the same time as there are cores. */
async function forEach(list, act) {
  const left = list.values();
  const actInTurn = async () => {
    for (const next of left) await act(next);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, actInTurn));
}

if (!canCutNetwork) console.log('This system cannot cut off the network: the projects have it.');
const tarball = packInto(folder);
if (isWanted(RELEASE)) await rehearseRelease(tarball);
await forEach(new Set(projects.map(placeOf)), (place) => installProjects(tarball, place));
// One version after the other, because they share the projects' folders.
for (const major of projects.length > 0 ? versions : []) {
  const node = await installNode(major);
  const version = (await run('Node', node, ['--version'])).stdout.trim();
  // Projects with the same name listen on the same port.
  await forEach(new Set(projects.map(({ name }) => name)), async (name) => {
    const own = projects.filter((project) => project.name === name && isRunOn(version, project));
    for (const project of own)
      if (project.run || !begun.has(project)) await runProject(node, version, project);
  });
}
