#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import type * as CommandLine from './command-line/program.js';
import { loadCompiled } from './server/load-compiled.js';

const path = fileURLToPath(new URL('command-line.cjs', import.meta.url));
const { main } = loadCompiled(path) as typeof CommandLine;
void main();
