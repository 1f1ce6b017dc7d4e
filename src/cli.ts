#!/usr/bin/env node
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { createCompiledCode } from './command-line/compiled-code.js';
import type * as CommandLine from './command-line/main.js';

/** By then the first requests have been answered, so that their code is kept as well. */
const KEPT_AFTER_MS = 1_000;

const besideThis = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const code = createCompiledCode(besideThis('compiled'));
// Respects the variable that disables Node's cache of compiled code.
const load = process.env.NODE_DISABLE_COMPILE_CACHE ? createRequire(import.meta.url) : code.load;
const { main } = load(besideThis('command-line.cjs')) as typeof CommandLine;
setTimeout(() => {
  code.keep();
  // In two runs of three V8 takes the records of a listing for long-lived ones: a walk of a million took
  // 310 MB for 165, and a fifth more time. Kept code is rejected under other flags: they are set after it.
  setFlagsFromString('--no-allocation-site-pretenuring');
}, KEPT_AFTER_MS).unref();
void main();
