// Everything that is measured over a socket, and how it is started.
import { fileURLToPath } from 'node:url';

/** @import { Data, Target, Use } from '../types.js' */

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENT = `${ROOT}openapi.yaml`;
const MILLION = '1000000';

/**
 * As shipped, over the records that each use needs.
 * @type {Record<Use, (data: Data) => string[]>}
 */
const OWN_OPTIONS = {
  start: () => [],
  load: ({ fixture }) => ['--dataset', fixture],
  large: () => ['--dataset', 'large', '--max-accounts', '20000'],
};

/**
 * `command(port, use, data)` has the arguments of node; `use` is start, load or large.
 * @type {Target[]}
 */
export const TARGETS = [
  limit('node:http', 'bare.mjs'),
  limit('Express', 'express.mjs'),
  limit('Express + validator', 'express-validator.mjs'),
  peer('Prism', 'prism', {
    command: (port) => [
      ...[installed('prism', '@stoplight/prism-cli/dist/index.js'), 'mock', DOCUMENT],
      ...['--port', port, '--host', '127.0.0.1', '--multiprocess', 'false'],
      ...['--verboseLevel', 'silent'],
    ],
  }),
  peer('Mockoon', 'mockoon', {
    command: (port) => [
      ...[installed('mockoon', '@mockoon/cli/bin/run.js'), 'start', '--data', DOCUMENT],
      ...['--port', port, '--hostname', '127.0.0.1', '--repair'],
      ...['--disable-admin-api', '--disable-log-to-file'],
    ],
  }),
  jsonServer('json-server 0.17', 'json-server-0.17', {
    bin: 'json-server/lib/cli/bin.js',
    options: ['--quiet'],
    page: (limit) => `/measurements?_page=1&_limit=${limit}`,
  }),
  jsonServer('json-server 1 beta', 'json-server-1', {
    bin: 'json-server/lib/bin.js',
    options: [],
    page: (limit) => `/measurements?_page=1&_per_page=${limit}`,
  }),
  peer('openapi-backend', 'openapi-backend', {
    command: (port) => ownServer('openapi-backend', port),
  }),
  peer('Scalar', 'scalar', { command: (port) => ownServer('scalar', port) }),
  {
    name: 'ours',
    kind: 'ours',
    large: true,
    withNothingKept: { NODE_DISABLE_COMPILE_CACHE: '1' },
    first: (use, data) => (use === 'large' ? data.large.first : undefined),
    command: (port, use, data) => [
      ...['dist/cli.cjs', '--port', port, '--log-level', 'silent'],
      ...OWN_OPTIONS[use](data),
    ],
  },
];

const OWN_PAGES = 'by parameters of its own, in a page without nextCursor';
const WRITES = 'has no accounts: each contract once, and its file is written at each delete';

/**
 * What the generator itself can do.
 * @type {Target}
 */
export const CEILING = {
  name: 'the generator',
  kind: 'ceiling',
  command: (port) => ['bench/targets/ceiling.mjs', '--port', port],
};

/**
 * @param {string} name
 * @param {string} file
 * @returns {Target}
 */
function limit(name, file) {
  return {
    name,
    kind: 'limit',
    large: true,
    command: (port, use, data) => [
      ...[`bench/targets/${file}`, '--port', port, '--document', DOCUMENT],
      ...['--data', use === 'load' ? data.recordsFile : data.smallFile],
      ...(use === 'large' ? ['--measurements', MILLION] : []),
    ],
  };
}

/**
 * @param {string} name
 * @param {string} folder
 * @param {Omit<Target, 'name' | 'kind' | 'folder'>} parts
 * @returns {Target}
 */
function peer(name, folder, parts) {
  return { name, kind: 'peer', folder, ...parts };
}

/**
 * @param {string} name
 * @param {string} folder
 * @param {{ bin: string, options: string[], page: (limit: number) => string }} server
 */
function jsonServer(name, folder, { bin, options, page }) {
  return peer(name, folder, {
    accounts: false,
    command: (port) => [installed(folder, bin), '--port', port, ...options, 'db.json'],
    // It writes its file at every change.
    cwd: (use, data) => data.copyDb(use === 'start' ? data.defaultDb : undefined),
    translate: (request, { limit: count }) =>
      count === undefined ? request : { ...request, path: page(count) },
    remark: ({ limit: count }) => (count === undefined ? WRITES : OWN_PAGES),
  });
}

/**
 * @param {string} folder
 * @param {string} port
 */
function ownServer(folder, port) {
  return [`bench/peers/${folder}/server.mjs`, '--port', port, '--document', DOCUMENT];
}

/**
 * @param {string} folder
 * @param {string} file
 */
function installed(folder, file) {
  return `${ROOT}bench/peers/${folder}/node_modules/${file}`;
}
