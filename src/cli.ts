#!/usr/bin/env node
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { createCompiledCode } from './command-line/compiled-code.js';
import type * as CommandLine from './command-line/program.js';

/** Late enough that the code for the first requests is kept as well. */
const KEPT_AFTER_MS = 1_000;

const besideThis = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const code = createCompiledCode(besideThis('compiled'));
// Respects the variable that disables Node's cache of compiled code.
const load = process.env.NODE_DISABLE_COMPILE_CACHE ? createRequire(import.meta.url) : code.load;
const { main } = load(besideThis('command-line.cjs')) as typeof CommandLine;
setTimeout(() => {
  code.keep();
  // V8 may expect the records of a listing to live long, and then free them late (bench/README.md).
  // Not set earlier, because V8 rejects code that was kept under other flags.
  setFlagsFromString('--no-allocation-site-pretenuring');
}, KEPT_AFTER_MS).unref();
void main();
