// Starts mocks, and nginx before them, on this machine; stops them when it is stopped itself.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HELP = `Usage: node start.mjs [--shards NUMBER] [--port NUMBER] [-- FLAGS OF EVERY MOCK]
Example: node start.mjs --shards 4 -- --dataset large

  --shards  how many mocks (default 4)
  --port    the port of nginx (default 4010); 0 takes any free one
`;

const { values, positionals } = flagsOf(process.argv.slice(2));
const {
  BILLING_MOCK_COMMAND: command = 'npx usage-billing-mock',
  NGINX: nginx = 'nginx',
  USAGE_BILLING_MOCK_CONTROL_TOKEN: controlToken = randomBytes(16).toString('hex'),
} = process.env;

// What nginx has elsewhere when it runs as a service.
const NGINX_CONF = `
daemon off;
pid nginx.pid;
worker_processes auto;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path bodies;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include billing-*.conf;
}
`;

const MAX_START_MS = 30_000;
const folder = mkdtempSync(join(tmpdir(), 'scale-out-'));
const running = new Set();
let isStopping = false;

process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(0));

try {
  await startAll();
} catch (error) {
  console.error(error.message);
  await stop(1);
}

function flagsOf(args) {
  const options = {
    shards: { type: 'string', default: '4' },
    port: { type: 'string', default: '4010' },
    help: { type: 'boolean' },
  };
  try {
    const flags = parseArgs({ args, options, allowPositionals: true });
    if (!flags.values.help) return flags;
    process.stdout.write(HELP);
    process.exit();
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${HELP}`);
    process.exit(2);
  }
}

async function startAll() {
  const shards = numberOf('shards', 1, 64);
  const port = numberOf('port', 0, 65_535) || (await freePort());
  if (!/^[\w-]+$/.test(controlToken)) {
    throw new Error('The control token may have letters, digits, - and _ only.');
  }
  const hosts = await Promise.all(Array.from({ length: shards }, (_, nth) => startMock(nth)));
  await startNginx(hosts, port);
  console.log(`${shards} mocks ready on http://127.0.0.1:${port}`);
  console.log(`The control plane demands X-Control-Token: ${controlToken}`);
}

async function startMock(shard) {
  const readyFile = join(folder, `mock-${shard}.json`);
  const [program, ...args] = command.split(' ');
  const flags = ['--port', '0', '--ready-file', readyFile, '--log-level', 'silent'];
  const child = start(`Mock ${shard}`, program, [...args, ...flags, ...positionals]);
  await until(child, () => existsSync(readyFile));
  const { url, pid } = JSON.parse(readFileSync(readyFile, 'utf8'));
  console.log(`mock ${shard}: ${url} process ${pid}`);
  child.onEnd = (end) =>
    console.error(`${end}; its tokens get a 502 until a mock listens at ${url} again.`);
  return new URL(url).host;
}

async function startNginx(hosts, port) {
  // Both are changed in a copy, as you would change them once.
  writeCopy('billing-mock.conf', /(?<=listen )\d+/, `127.0.0.1:${port}`);
  const servers = hosts.map((host) => `  server ${host} max_fails=0;\n`).join('');
  writeCopy('billing-shards.conf', /( +server .*;\n)+/, servers, 'change-me', controlToken);
  writeFileSync(join(folder, 'nginx.conf'), NGINX_CONF);
  // Started by root, nginx keeps long bodies as another user.
  chmodSync(folder, 0o711);
  const config = ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
  const child = start('nginx', nginx, ['-p', folder, ...config]);
  const health = `http://127.0.0.1:${port}/__control/health`;
  await until(child, () =>
    fetch(health).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  child.onEnd = (end) => {
    console.error(end);
    return stop(1);
  };
}

/** Writes a file of this folder, with these parts replaced. */
function writeCopy(file, ...replacements) {
  let text = readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8');
  for (let nth = 0; nth < replacements.length; nth += 2) {
    text = text.replace(replacements[nth], replacements[nth + 1]);
  }
  writeFileSync(join(folder, file), text, { mode: 0o600 });
}

function start(name, file, args) {
  const env = { ...process.env, USAGE_BILLING_MOCK_CONTROL_TOKEN: controlToken };
  const child = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  running.add(child);
  const ended = (how) => {
    running.delete(child);
    child.end = `${name} ${how}`;
    if (!isStopping) child.onEnd?.(child.end);
  };
  const variable = name === 'nginx' ? 'NGINX' : 'BILLING_MOCK_COMMAND';
  child.once('error', ({ message }) =>
    ended(`has not started: ${message}. Install it, or set ${variable} to where it is`),
  );
  child.once('exit', (code, signal) => ended(`ended with ${signal ?? `exit code ${code}`}`));
  return child;
}

async function until(child, isReady) {
  const latest = performance.now() + MAX_START_MS;
  while (!(await isReady())) {
    if (child.end) throw new Error(`Not ready: ${child.end}.`);
    if (performance.now() > latest) throw new Error(`${child.spawnfile} has not become ready.`);
    await passed(20);
  }
}

async function stop(exitCode) {
  if (isStopping) return;
  isStopping = true;
  const ended = [...running].map((child) => once(child, 'exit'));
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(ended);
  process.exit(exitCode);
}

function numberOf(name, least, most) {
  const number = Number(values[name]);
  if (/^\d+$/.test(values[name]) && number >= least && number <= most) return number;
  throw new Error(`--${name} is '${values[name]}'; expected a number from ${least} to ${most}.`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}
