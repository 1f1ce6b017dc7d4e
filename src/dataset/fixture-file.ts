import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join, relative, resolve } from 'node:path';
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
} from 'yaml';
import { describeMistake, type Mistake } from './mistake.js';
import { EXPECTED_NESTING } from './nesting.js';

const MOST_LINES = 100;

/** A text of JSON, or what begins a comment where there is none. */
const TEXT_OR_COMMENT = /"[^"\\]*(?:\\.[^"\\]*)*"|\/[/*]/gs;
const NAME_YAML = 'Take it out, or write it after # in a file that ends with .yaml.';

/**
 * A fixture that cannot be used. Each line of the message names file, line, column and the fix.
 *
 * @example
 * const server = await createMockServer({ dataset: 'mine.yaml' }).catch((error) => {
 *   if (error instanceof FixtureError) console.error(error.message);
 *   throw error;
 * });
 */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
}

/** A fixture file as it was read, its values still unchecked. */
export interface FixtureFile {
  /** From the root of the file system. */
  readonly path: string;
  readonly value: unknown;
  /** A line for each mistake, with the place where its value stands. */
  explain(mistakes: readonly Mistake[]): string[];
}

/** Reads a YAML or JSON file. Throws a `FixtureError` if it cannot be read or has no such syntax. */
export function readFixtureFile(path: string): FixtureFile {
  const shownPath = shownPathOf(path);
  const format = extname(path).toLowerCase() === '.json' ? 'JSON' : 'YAML';
  const lines = new LineCounter();
  const text = readText(path);
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error' });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${shownPath}:${line}:${col}`;
  };
  const comment = format === 'JSON' ? firstComment(text) : undefined;
  if (comment !== undefined) {
    throw new FixtureError(`${placeOf(comment)} is not JSON: it has no comments. ${NAME_YAML}`);
  }
  const broken = document.errors.map(({ code, pos, message }) => {
    const [sentence = message] = message.split(/ at line \d+/);
    if (sentence.startsWith('Maximum call stack')) {
      return `${placeOf(pos[0])} is nested too deep: expected ${EXPECTED_NESTING}.`;
    }
    const why = code === 'MULTIPLE_DOCS' ? 'a fixture is one document, without ---' : sentence;
    return `${placeOf(pos[0])} is not ${format}: ${why}. Mend the syntax there.`;
  });
  if (broken.length > 0) throw new FixtureError(broken.join('\n'));
  return {
    path,
    value: toPlain(document, shownPath),
    explain(mistakes) {
      const places = mistakes.map((mistake) => ({
        mistake,
        ...find(document.contents, mistake.path),
      }));
      places.sort((one, other) => one.offset - other.offset);
      const lines = places.slice(0, MOST_LINES).map(({ mistake, offset, node }) => {
        const written = isScalar(node) ? node.source : undefined;
        return `${placeOf(offset)} ${describeMistake({ ...mistake, written })}`;
      });
      const rest = mistakes.length - lines.length;
      return rest > 0 ? [...lines, `${shownPath} has ${rest} more mistakes.`] : lines;
    },
  };
}

/** Where the first comment of a JSON file begins. */
function firstComment(text: string): number | undefined {
  for (const { 0: found, index } of text.matchAll(TEXT_OR_COMMENT)) {
    if (found.startsWith('/')) return index;
  }
  return undefined;
}

/** Where a dataset is: its name among those of the folder, or a path from where it was written. */
export function locateFixture(
  dataset: string,
  folder: string,
  from: string,
): { readonly candidate: string; readonly exists: boolean } {
  const candidate = isPath(dataset) ? resolve(from, dataset) : join(folder, `${dataset}.yaml`);
  return { candidate, exists: existsSync(candidate) };
}

/** In words, what can be located: the names of the datasets in the folder, or a path. */
export function expectedDataset(dataset: string, folder: string, from: string): string {
  const nearby = ['', '.yaml', '.yml', '.json'].map((extension) => dataset + extension);
  const file = nearby.find((name) => isFile(resolve(from, name)));
  if (!isPath(dataset) && file !== undefined) return `'./${file}' for that file`;
  const names = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  const listed = names.map((file) => basename(file, '.yaml')).join(', ');
  return `${listed}, or the path of a YAML or JSON file that exists`;
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function isPath(dataset: string): boolean {
  const extension = extname(dataset).toLowerCase();
  return /[\\/]/.test(dataset) || ['.yaml', '.yml', '.json'].includes(extension);
}

function shownPathOf(path: string): string {
  const nearby = relative(process.cwd(), path);
  return nearby.startsWith('..') ? path : nearby;
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not; give it the right to',
  EISDIR: 'it is a folder; name a file in it',
  ENOENT: 'it is not there; check the path',
};

function readText(path: string): string {
  const bytes = readBytes(path);
  if (isUtf8(bytes)) return bytes.toString();
  // No byte of a character beyond ASCII is a line feed, so that lines can be looked at one by one.
  const lines = bytes.toString('latin1').split('\n');
  const line = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1')));
  const column = Buffer.from(lines[line] ?? '', 'latin1')
    .toString()
    .indexOf('\ufffd');
  const place = `${shownPathOf(path)}:${line + 1}:${column + 1}`;
  const isUtf16 = /^(\xff\xfe|\xfe\xff)/.test(lines[0] ?? '');
  const what = isUtf16 ? 'UTF-16' : 'in another encoding, such as Latin-1';
  throw new FixtureError(`${place} is not UTF-8 but ${what}. Save the file as UTF-8.`);
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const why = REASONS[code] ?? `it cannot be opened (${code}); check the file`;
    throw new FixtureError(`The file '${shownPathOf(path)}' cannot be read: ${why}.`, {
      cause: error,
    });
  }
}

/** The document as plain values; an alias of nothing, or of what it stands in, is refused. */
function toPlain(document: Document.Parsed, file: string): unknown {
  try {
    const value: unknown = document.toJS();
    JSON.stringify(value);
    return value;
  } catch (error) {
    if (error instanceof RangeError) {
      throw new FixtureError(`${file} is nested too deep: expected ${EXPECTED_NESTING}.`);
    }
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new FixtureError(`${file} cannot be resolved: ${why}. Mend its aliases (*name).`, {
      cause: error,
    });
  }
}

/** Where the value stands in the file (the member's key, or the item, as deep as it exists). */
function find(
  contents: ParsedNode | null,
  path: readonly string[],
): { readonly offset: number; readonly node: ParsedNode | null } {
  let node: ParsedNode | null = contents;
  let offset = node?.range[0] ?? 0;
  for (const part of path) {
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const pair = node.items.find(({ key }) => String(key) === part);
      if (!pair) break;
      offset = pair.key.range[0];
      node = pair.value;
    } else if (isSeq<ParsedNode>(node)) {
      node = node.items[Number(part)] ?? null;
      offset = node?.range[0] ?? offset;
    }
  }
  return { offset, node };
}
