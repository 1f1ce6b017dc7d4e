import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, relative } from 'node:path';
import { type Document, isMap, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import { shown } from '../billing/shown.js';
import type { Fixture } from './fixture.js';
import type { Mistake, RecordChecks } from './record-checks.js';

/** A fixture that cannot be used. Each line of the message names file, line, column and the fix. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
}

/**
 * Reads and checks a fixture: a name such as `default` among those in the folder, or the path of a
 * YAML or JSON file. Throws a `FixtureError` with every mistake of the file, not the first only.
 */
export function readFixture(dataset: string, folder: string, checks: RecordChecks): Fixture {
  const file = fileOf(dataset, folder);
  const nearby = relative(process.cwd(), file);
  const shownFile = nearby.startsWith('..') ? file : nearby;
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${shownFile}:${line}:${col}`;
  };

  const broken = document.errors.map(({ pos, message }) => {
    const [sentence = message] = message.split(/ at line \d+/);
    return `${placeOf(pos[0])} is not YAML: ${sentence}. Mend the syntax there.`;
  });
  if (broken.length > 0) throw new FixtureError(broken.join('\n'));

  const fixture = toPlain(document, shownFile);
  const schemaMistakes = checks.fixture(fixture);
  // What further checks look at must have the right types first.
  const mistakes = schemaMistakes.length > 0 ? schemaMistakes : contradictions(fixture as Fixture);
  if (mistakes.length > 0) {
    const sentence = (mistake: Mistake) =>
      `${placeOf(offsetOf(document.contents, mistake.path))} ${describe(mistake)}`;
    throw new FixtureError(mistakes.map(sentence).join('\n'));
  }
  return fixture as Fixture;
}

function fileOf(dataset: string, folder: string): string {
  const isPath = /[\\/]/.test(dataset) || ['.yaml', '.yml', '.json'].includes(extname(dataset));
  const file = isPath ? dataset : join(folder, `${dataset}.yaml`);
  if (existsSync(file)) return file;
  if (isPath) throw new FixtureError(`There is no fixture file '${dataset}'. Check the path.`);
  const names = readdirSync(folder).map((name) => basename(name, '.yaml'));
  throw new FixtureError(
    `There is no dataset named '${dataset}'; expected ${names.join(', ')}, or the path of a YAML or JSON file.`,
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new FixtureError(`The fixture '${file}' cannot be read. Check that it is a file.`, {
      cause: error,
    });
  }
}

function describe({ path, expected, received }: Mistake): string {
  const name = path.join('/') || 'the fixture';
  const isUnquoted = expected === 'a string' && typeof received === 'number';
  const mend = isUnquoted ? 'Put it in quotes.' : 'Correct the value or take it out.';
  return `'${name}': expected ${expected}; received ${shown(received)}. ${mend}`;
}

/** The document as plain values; an alias of nothing, or of what it stands in, is refused. */
function toPlain(document: Document.Parsed, file: string): unknown {
  try {
    const value: unknown = document.toJS() ?? {};
    JSON.stringify(value);
    return value;
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new FixtureError(`${file} cannot be resolved: ${why}. Mend its aliases (*name).`, {
      cause: error,
    });
  }
}

/** What every schema allows, but not together: ids given twice, a range that ends before it starts. */
function contradictions({ generate, ...fixture }: Fixture): Mistake[] {
  const range =
    generate && generate.to < generate.from
      ? [{ path: ['generate', 'to'], expected: `${generate.from} or later`, received: generate.to }]
      : [];
  return [
    ...repeatedIds(['customers'], fixture.customers),
    ...repeatedIds(['contracts'], fixture.contracts),
    ...repeatedIds(['measurements'], fixture.measurements),
    ...repeatedIds(['events'], fixture.events),
    ...repeatedIds(['generate', 'meters'], generate?.meters),
    ...range,
  ];
}

function repeatedIds(
  path: readonly string[],
  records: readonly { readonly id?: string }[] = [],
): Mistake[] {
  const seen = new Set<string>();
  return records.flatMap(({ id }, index) => {
    if (id === undefined) return [];
    const isRepeated = seen.has(id);
    seen.add(id);
    return isRepeated
      ? [{ path: [...path, String(index), 'id'], expected: 'an id of its own', received: id }]
      : [];
  });
}

/** Where the value stands in the file: the member's key, or the item, as deep as it exists. */
function offsetOf(contents: ParsedNode | null, path: readonly string[]): number {
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
  return offset;
}
