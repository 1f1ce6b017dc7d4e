#!/usr/bin/env node
import module from 'node:module';

// Newer versions of Node keep what they have compiled, if they are asked before it is loaded.
const { enableCompileCache } = module as { readonly enableCompileCache?: () => void };
enableCompileCache?.();
const { main } = await import('./command-line/main.js');
await main();
