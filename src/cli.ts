#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import type * as CommandLine from './command-line/program.js';
import { loadCompiled } from './host/server/process/load-compiled.js';

// As process 1 of a container, it gets no signal that it does not handle, and loading takes a while.
if (process.pid === 1) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(
      signal,
      () => process.listenerCount(signal) === 0 && process.exit(signal === 'SIGINT' ? 130 : 143),
    );
  }
}

const path = fileURLToPath(new URL('command-line.cjs', import.meta.url));
const { main } = loadCompiled(path) as typeof CommandLine;
void main();
