// Installs the peers on demand, each into its own folder below bench/peers.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PEERS = fileURLToPath(new URL('../peers/', import.meta.url));
const INSTALL = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock'];

/** Installs all peers; returns for each folder its versions, and why it could not be installed. */
export function installPeers() {
  const folders = readdirSync(PEERS, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  return Object.fromEntries(folders.map(({ name }) => [name, installPeer(name)]));
}

function installPeer(name: string) {
  const { dependencies } = readPackage(`${PEERS}${name}`);
  const versions = Object.entries(dependencies).map(([dependency, version]) =>
    [dependency, version].join(' '),
  );
  if (isInstalled(name, dependencies)) return { versions };
  console.log(`Installing ${versions.join(', ')} into bench/peers/${name} …`);
  const { status, stderr, error } = spawnSync('npm', INSTALL, {
    cwd: `${PEERS}${name}`,
    encoding: 'utf8',
    timeout: 180_000,
  });
  if (status === 0 && isInstalled(name, dependencies)) return { versions };
  const lines = String(stderr ?? '').match(/^npm error (?!A complete log).+$/gm) ?? [];
  const said = lines
    .slice(0, 2)
    .map((line) => line.replace('npm error ', '').replace(/\S+:\/\/\S+/g, ''));
  return { versions, reason: `could not be installed: ${error?.message ?? said.join('; ')}` };
}

function isInstalled(name: string, dependencies: Record<string, string>) {
  return Object.entries(dependencies).every(([dependency, version]) => {
    const folder = `${PEERS}${name}/node_modules/${dependency}`;
    return existsSync(folder) && readPackage(folder).version === version;
  });
}

function readPackage(folder: string) {
  return JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
}
