// Everything that is measured over a socket, and how to start it.
import { fileURLToPath } from 'node:url';
import type { Operation, Question } from '../types.js';
import type { Data } from './data.js';

/** The purpose for which a server is started. */
export type Use = 'start' | 'load' | 'large';

/** A server that is measured over a socket; `command` returns the arguments of node. */
export interface Target {
  name: string;
  kind: 'limit' | 'peer' | 'ours';
  /** The folder of a peer below bench/peers. */
  folder?: string;
  /** True if it pages by cursor and can hold a hundred thousand measurements. */
  large?: boolean;
  /** True if it does none of the work, so that only its start is measured. */
  onlyStarts?: boolean;
  /** Environment variables with which it starts as if for the first time. */
  withNothingKept?: Record<string, string>;
  command(port: string, use: Use, data: Data): string[];
  cwd?(use: Use, data: Data): string;
  first?(use: Use, data: Data): Question | undefined;
  translate?(request: Question, operation: Operation): Question;
  remark?(operation: Operation): string | undefined;
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENT = `${ROOT}openapi.yaml`;
const MANY = '100000';

/** The options of this mock: the defaults, with the records that each use needs. */
const OWN_OPTIONS: Record<Use, (data: Data) => string[]> = {
  start: () => [],
  load: ({ fixture }) => ['--dataset', fixture],
  large: () => ['--dataset', 'large', '--max-accounts', '20000'],
};

export const TARGETS: Target[] = [
  {
    name: 'node:http alone',
    kind: 'limit',
    onlyStarts: true,
    command: (port) => ['bench/targets/alone.mjs', port],
  },
  limit('node:http', 'bare.mjs'),
  limit('Express', 'express.mjs'),
  limit('Express + validator', 'express-validator.mjs'),
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
  peer('Scalar', 'scalar', {
    command: (port) => ['bench/peers/scalar/server.mjs', '--port', port, '--document', DOCUMENT],
  }),
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

function limit(name: string, file: string): Target {
  return {
    name,
    kind: 'limit',
    large: true,
    command: (port, use, data) => [
      ...[`bench/targets/${file}`, '--port', port, '--document', DOCUMENT],
      ...['--data', use === 'load' ? data.recordsFile : data.smallFile],
      ...(use === 'large' ? ['--measurements', MANY] : []),
    ],
  };
}

function peer(
  name: string,
  folder: string,
  parts: Omit<Target, 'name' | 'kind' | 'folder'>,
): Target {
  return { name, kind: 'peer', folder, ...parts };
}

function jsonServer(
  name: string,
  folder: string,
  { bin, options, page }: { bin: string; options: string[]; page: (limit: number) => string },
) {
  return peer(name, folder, {
    command: (port, use, { db, defaultDb }) => [
      ...[installed(folder, bin), '--port', port, ...options],
      use === 'start' ? defaultDb : db,
    ],
    translate: (request, { limit: count }) =>
      count === undefined ? request : { ...request, path: page(count) },
    remark: ({ limit: count }) => (count === undefined ? undefined : OWN_PAGES),
  });
}

function installed(folder: string, file: string) {
  return `${ROOT}bench/peers/${folder}/node_modules/${file}`;
}
