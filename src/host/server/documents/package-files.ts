import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { OpenApiDocument } from '../../../core/openapi/route-table.js';
import { documentsBelow } from './openapi-documents.js';

const TOP = folderOfManifest(new URL('./', import.meta.url));

/** The nearest folder with a `package.json`: the code may be in `src/` or in `dist/`. */
function folderOfManifest(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const above = new URL('../', folder);
  if (above.href !== folder.href) return folderOfManifest(above);
  throw new Error(
    `No folder above ${fileURLToPath(import.meta.url)} has a package.json; expected the one of usage-billing-mock. Load the package from node_modules: a bundle does not contain its files.`,
  );
}

/** The path of a file or folder of the package, from its top. */
export function packagePath(name: string): string {
  return fileURLToPath(new URL(name, TOP));
}

export function readPackageYaml(name: string): unknown {
  return parsedByBuild(packagePath(name))?.value ?? parse(readFileSync(packagePath(name), 'utf8'));
}

/**
 * A YAML file of the package as the build has parsed and checked it; undefined if it has not, or if
 * the file has changed since. It is kept as JSON, which takes a hundredth of the time to parse. The
 * package leaves out the file from which its control plane's document is made.
 */
export function parsedByBuild(path: string): { readonly value: unknown } | undefined {
  const parsedPath = packagePath(`dist/parsed/${relative(packagePath('.'), path)}.json`);
  if (!existsSync(parsedPath)) return undefined;
  const { sha256, value } = JSON.parse(readFileSync(parsedPath, 'utf8'));
  const isSame = !existsSync(path) || sha256 === sha256Of(readFileSync(path));
  return isSame ? { value } : undefined;
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A built file of the page at `/__control/ui`. */
export function readPageFile(name: string): Buffer | undefined {
  const path = packagePath(`dist/page/${name}`);
  return existsSync(path) ? readFileSync(path) : undefined;
}

export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(packagePath('package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}

export function readDocuments(basePath: string) {
  const read = (file: string) => readPackageYaml(file) as OpenApiDocument;
  return documentsBelow(basePath, read);
}
