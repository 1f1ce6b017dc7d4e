import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import type * as Library from './library.js';

/**
 * What the kits need of the library, loaded when it is first needed, and by Node itself where that is
 * possible: jest would evaluate all of it again for every file of tests. It then belongs to another
 * realm than the tests; what crosses over is text, plain data and what Node gives to both.
 */
export async function loadLibrary(): Promise<typeof Library> {
  return loadInNode() ?? loadInThisRealm();
}

/** The library as the runner loads it, for options with functions of the test. */
export function loadInThisRealm(): Promise<typeof Library> {
  return import('./library.js');
}

function loadInNode(): typeof Library | undefined {
  // From sources there is no such file; before Node 20.16 there is no such function.
  const path = fileURLToPath(new URL('library.cjs', import.meta.url));
  if (!existsSync(path)) return undefined;
  // The `process` of a test is one that jest has made: it would load the file as jest does.
  const { getBuiltinModule }: Partial<NodeJS.Process> = runInThisContext('process');
  return getBuiltinModule?.('node:module')?.createRequire(path)(path) as typeof Library | undefined;
}
