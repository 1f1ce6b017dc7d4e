import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import type * as Library from './library.js';

/**
 * Loads what the kits need of the library. Node loads it where possible, because jest would
 * evaluate it again for every test file. The library then belongs to a different realm from jest's
 * tests, so only text, plain data and objects that Node gives to both may pass between them.
 */
export async function loadLibrary(): Promise<typeof Library> {
  return loadInNode() ?? loadInThisRealm();
}

/** Loads the library through the runner, for options with functions of the test. */
export function loadInThisRealm(): Promise<typeof Library> {
  return import('./library.js');
}

function loadInNode(): typeof Library | undefined {
  // Sources have no such file, and Node before 20.16 has no such function.
  // Vite would take new URL('library.cjs', import.meta.url) for the URL of an asset.
  const path = join(dirname(fileURLToPath(import.meta.url)), 'library.cjs');
  if (!existsSync(path)) return undefined;
  // A test gets a `process` that jest made, which would load the file as jest does.
  const { getBuiltinModule }: Partial<NodeJS.Process> = runInThisContext('process');
  return getBuiltinModule?.('node:module')?.createRequire(path)(path) as typeof Library | undefined;
}
