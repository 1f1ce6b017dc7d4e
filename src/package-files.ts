import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Both `src/` and `dist/` stand directly below the package's top.
const TOP = new URL('../', import.meta.url);

/** The path of a file or folder of the package, from its top. */
export function packagePath(name: string): string {
  return fileURLToPath(new URL(name, TOP));
}

/** The text of a file of the package. */
export function readPackageFile(name: string): string {
  return readFileSync(packagePath(name), 'utf8');
}

/** The version of the package. */
export function packageVersion(): string {
  return (JSON.parse(readPackageFile('package.json')) as { version: string }).version;
}
