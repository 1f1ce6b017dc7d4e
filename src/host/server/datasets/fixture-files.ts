import { isUtf8 } from 'node:buffer';
import { existsSync, statSync } from 'node:fs';
import { dirname, extname, join, parse, relative, resolve } from 'node:path';
import {
  FixtureError,
  type FixtureFile,
  parseFixtureFile,
} from '../../../core/datasets/fixture/parse-fixture.js';
import type { FixtureFiles } from '../../../core/datasets/fixture/read-fixture.js';
import { SHIPPED_DATASETS } from '../../../core/datasets/shipped-datasets.js';
import { didYouMean } from '../../../core/values/did-you-mean.js';
import { whyUnreadable } from '../../../core/values/file-error.js';
import { packagePath, parsedByBuild } from '../documents/package-files.js';
import { readRegularFile } from '../files/read-regular-file.js';

/** The folder of the package's datasets. */
const FOLDER = packagePath('fixtures');

/**
 * Fixtures on disk: the package's own by name, any other by its path, relative to the folder or to
 * the file that names it.
 */
export function fixtureFilesFrom(folder: string): FixtureFiles {
  return {
    locate(dataset, namedBy) {
      const from = namedBy === undefined ? folder : dirname(namedBy);
      // Never read: an error would quote the beginning of a file that need not be a fixture.
      if (namedBy !== undefined && /[\\/]/.test(dataset) && !hasExtension(dataset)) {
        return { path: resolve(from, dataset), unknown: { expected: EXPECTED_EXTENSION } };
      }
      const path = isPath(dataset) ? resolve(from, dataset) : join(FOLDER, `${dataset}.yaml`);
      return existsSync(path) ? { path } : { path, unknown: unknownDataset(dataset, from) };
    },
    read: readFixtureFile,
    shipped: parsedByBuild,
    isOfPackage: (path) => dirname(path) === FOLDER,
    nameOf: (path) => parse(path).name,
  };
}

/** Reads a YAML or JSON file. Throws a `FixtureError` if it cannot be read or has a syntax error. */
export function readFixtureFile(path: string): FixtureFile {
  const nearby = relative(process.cwd(), path);
  const shownPath = nearby.startsWith('..') ? path : nearby;
  return parseFixtureFile(path, shownPath, readText(path, shownPath));
}

function unknownDataset(dataset: string, from: string) {
  const nearby = ['', '.yaml', '.yml', '.json'].map((extension) => dataset + extension);
  const file = nearby.find((name) => isFile(resolve(from, name)));
  const expected =
    !isPath(dataset) && file !== undefined
      ? `'./${file}' for that file`
      : `${SHIPPED_DATASETS.join(', ')}, or the path of an existing YAML or JSON file`;
  const looked = isPath(dataset) ? `There is no file '${resolve(from, dataset)}'.` : undefined;
  const fix = didYouMean(dataset, SHIPPED_DATASETS) ?? looked;
  return { expected, ...(fix && { fix }) };
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

const EXTENSIONS = ['.yaml', '.yml', '.json'];
const EXPECTED_EXTENSION = `the path of a file that ends with ${EXTENSIONS.join(', ')}`;

function hasExtension(dataset: string): boolean {
  return EXTENSIONS.includes(extname(dataset).toLowerCase());
}

function isPath(dataset: string): boolean {
  return /[\\/]/.test(dataset) || hasExtension(dataset);
}

function readText(path: string, shownPath: string): string {
  const bytes = readBytes(path, shownPath);
  if (isUtf8(bytes)) return bytes.toString();
  // In UTF-8, no other character contains the byte of a line feed: check line by line.
  const lines = bytes.toString('latin1').split('\n');
  const line = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1')));
  const column = Buffer.from(lines[line] ?? '', 'latin1')
    .toString()
    .indexOf('\ufffd');
  const place = `${shownPath}:${line + 1}:${column + 1}`;
  const isUtf16 = /^(\xff\xfe|\xfe\xff)/.test(lines[0] ?? '');
  const what = isUtf16 ? 'UTF-16' : 'in another encoding, such as Latin-1';
  throw new FixtureError(`${place} is not UTF-8 but ${what}. Save the file as UTF-8.`);
}

function readBytes(path: string, shownPath: string): Buffer {
  try {
    return readRegularFile(path);
  } catch (error) {
    const sentence = `The file '${shownPath}' cannot be read: ${whyUnreadable(error)}.`;
    throw new FixtureError(sentence, { cause: error });
  }
}
