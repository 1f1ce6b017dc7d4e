// Publishes the packed package to its own registry, by hand as CONTRIBUTING.md says and as the workflow does, and
// uses it from there as the pages say: `node rehearse.mjs TARBALL WORKFLOW`. The registry forwards no requests, so this needs no network, and
// what is installed by name is this tarball and nothing else.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { runServer } from 'verdaccio';

const NAME = 'usage-billing-mock';
/** The address at which the pages call the mock. */
const SHOWN_URL = 'http://127.0.0.1:4010';
/** Far longer than any step takes. */
const TIMEOUT_MS = 60_000;

const [tarball, workflow] = process.argv.slice(2).map((path) => resolve(path));
const folder = mkdtempSync(join(tmpdir(), 'release-'));
/** The running command, if there is one. */
let mock;
const env = {
  // Without the variables that npm sets for its scripts, such as its configuration.
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  HOME: folder,
  npm_config_cache: join(folder, 'cache'),
  npm_config_userconfig: join(folder, '.npmrc'),
  npm_config_noproxy: '127.0.0.1',
  npm_config_audit: 'false',
  npm_config_update_notifier: 'false',
};

/** Runs a line of a page in a folder; returns its standard output. */
function run(line, cwd) {
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', line], { cwd, env, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}${stderr}\n'${line}' failed.`));
      else resolve(stdout.trim());
    });
  });
}

function expectSame(what, received, expected) {
  if (received !== expected)
    throw new Error(`${what}: received '${received}', expected '${expected}'.`);
}

async function startRegistry() {
  const registry = await runServer({
    configPath: join(folder, 'verdaccio.yaml'),
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: -1 } },
    uplinks: {},
    packages: { '**': { access: '$all', publish: '$anonymous' } },
    web: { enable: false },
    log: { type: 'stdout', level: 'fatal' },
  });
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${registry.address().port}`;
  // npm requires a token to publish, but the registry accepts any.
  writeFileSync(
    env.npm_config_userconfig,
    `registry=http://${host}/\n//${host}/:_authToken=none\n`,
  );
}

function newProject(name) {
  const project = join(folder, name);
  mkdirSync(project);
  return project;
}

/** Starts the command as docs/command-line.md does first, and waits until it is ready. */
async function startMock(project) {
  const page = readFileSync(join(project, 'node_modules', NAME, 'docs/command-line.md'), 'utf8');
  const [, line = ''] = /^```sh\n(.*)\n```$/m.exec(page) ?? [];
  const readyFile = join(project, 'ready.json');
  const shell = `exec ${line.replace('4010', '0')} --ready-file ready.json`;
  mock = spawn('sh', ['-c', shell], { cwd: project, env, stdio: 'pipe' });
  const ended = once(mock, 'close');
  let output = '';
  for (const stream of [mock.stdout, mock.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  for (const start = Date.now(); !existsSync(readyFile); await passed(50))
    if (mock.exitCode !== null || Date.now() - start > TIMEOUT_MS)
      throw new Error(`${output}\n'${line}' wrote no ready file.`);
  return { ...JSON.parse(readFileSync(readyFile, 'utf8')), ended };
}

/** The calls in README.md, each with the output that it shows, where `…` stands for anything. */
function callsOf(readme) {
  const blocks = [...readme.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block]) => block);
  return blocks
    .flatMap((block) => block.split(/^\$ /m))
    .filter((step) => step.startsWith('curl '))
    .map((step) =>
      step
        .trim()
        .replaceAll(/ \\\n +/g, ' ')
        .split('\n'),
    )
    .map(([line, ...printed]) => ({ line, pieces: printed.join('\n').split('…') }));
}

async function makeCalls(project, url) {
  const calls = callsOf(readFileSync(join(project, 'node_modules', NAME, 'README.md'), 'utf8'));
  if (calls.length === 0) throw new Error('README.md shows no call by curl.');
  for (const { line, pieces } of calls) {
    const printed = await run(
      line.replace('curl', 'curl -q -sS').replaceAll(SHOWN_URL, url),
      project,
    );
    if (!pieces.every((piece) => printed.includes(piece)))
      throw new Error(`'${line}' printed ${printed}; README.md shows ${pieces.join('…')}`);
  }
  return calls.length;
}

async function stopMock({ pid, url, ended }) {
  process.kill(pid, 'SIGTERM');
  await ended;
  mock = undefined;
  const isServing = await fetch(url).then(
    () => true,
    () => false,
  );
  if (isServing) throw new Error(`${NAME} still serves ${url} after SIGTERM.`);
}

/** The first line of a text that begins so, with these parts replaced. */
function lineOf(text, start, parts) {
  const [line = ''] = text.match(RegExp(`${start}[^\n\`]*`)) ?? [];
  if (line === '') throw new Error(`No line has '${start}'.`);
  return parts.reduce((replaced, [part, by]) => replaced.replace(part, by), line);
}

/** Publishes a prerelease by hand, and then the tarball as the workflow does. Returns its version. */
async function publish() {
  const unpacked = newProject('unpacked');
  await run(`tar -xzf '${tarball}' -C .`, unpacked);
  const top = join(unpacked, 'package');
  const { version } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
  await run(`npm version --no-git-tag-version ${version}-rc.0 && npm pack --ignore-scripts`, top);
  const steps = readFileSync(join(top, 'CONTRIBUTING.md'), 'utf8');
  const prerelease = `./${NAME}-${version}-rc.0.tgz`;
  await run(lineOf(steps, 'npm publish --', [[/\S+\.tgz/, prerelease]]), top);

  const tag = [/\$\{\{.*?\}\}/, 'latest'];
  // GitHub signs the provenance.
  const parts = [[' --provenance', ''], tag, [/\S+\.tgz/, `'${tarball}'`]];
  await run(lineOf(readFileSync(workflow, 'utf8'), 'npm publish --', parts), folder);
  expectSame('npm view', await run(`npm view ${NAME} version`, folder), version);
  return { version, top };
}

/** Checks that the tarball in the registry has the Dockerfile that the workflow names in it. */
async function checkContext(version) {
  const context = newProject('context');
  await run(`npm pack ${NAME}@${version}`, context);
  const [, file] = / --file (\S+) /.exec(readFileSync(workflow, 'utf8')) ?? [];
  await run(`tar -xzf ${NAME}-*.tgz ${file}`, context);
}

/** Examples that `exec` runs in a folder that has only them. */
const SUITES = [
  ['matrix', 'node --test'],
  ['python', 'python3 -B -m pytest -p no:cacheprovider'],
  ['shell', "sh -c 'sh test-tour.sh && sh test-billing.sh'"],
];

async function runSuites(version, top) {
  for (const [example, command] of SUITES) {
    const only = newProject(`only-${example}`);
    cpSync(join(top, 'examples', example), only, { recursive: true });
    await run(`npx ${NAME}@${version} exec -- ${command}`, only);
  }
}

async function rehearse() {
  await startRegistry();
  const { version, top } = await publish();
  await checkContext(version);
  await runSuites(version, top);

  const project = newProject('project');
  await run(`npm i -D ${NAME}`, project);
  const { devDependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  expectSame('npm i -D', Object.keys(devDependencies).join(), NAME);
  expectSame('npx', await run(`npx ${NAME} --version`, project), version);

  const started = await startMock(project);
  const calls = await makeCalls(project, started.url);
  await stopMock(started);
  return `published ${NAME} ${version} to a registry on this machine, ran ${SUITES.length} suites by npx, installed it by name, started it, made the ${calls} calls of README.md, and stopped it`;
}

process.on('exit', () => {
  mock?.kill();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
try {
  process.stdout.write(`${await rehearse()}\n`);
  process.exit();
} catch (error) {
  process.stderr.write(`${stripVTControlCharacters(error.message)}\n`);
  process.exit(1);
}
