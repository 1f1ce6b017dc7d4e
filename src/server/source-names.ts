import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of the code; if it was built, its source maps are beside it. */
const CODE = dirname(fileURLToPath(import.meta.url));
const CODE_URL = pathToFileURL(join(CODE, '/')).href;

const FRAME = /^(\s+at (?:async )?(?:[^(]* \()?)(.+):(\d+):(\d+)(\)?(?: \{)?)$/;

/**
 * Creates a function that returns a stack in which frames of the built code name their lines in `src/`.
 * A map is read when a frame first needs it, because Node would read all of them at the start.
 */
export function createSourceNames(): (stack: string) => string {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (path: string) => {
    const map = maps.has(path) ? maps.get(path) : readMap(path);
    maps.set(path, map);
    return map;
  };
  const named = (line: string) => {
    const [, before, place = '', row, column, after] = FRAME.exec(line) ?? [];
    const path = place.startsWith(CODE_URL) ? fileURLToPath(place) : place;
    const map = dirname(path) === CODE ? mapOf(path) : undefined;
    const entry = map?.findEntry(Number(row) - 1, Number(column) - 1);
    if (!entry || !('originalSource' in entry) || !entry.originalSource) return line;
    const source = entry.originalSource.replace(/^\.\.\//, '');
    return `${before}${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}${after}`;
  };
  return (stack) => stack.split('\n').map(named).join('\n');
}

function readMap(path: string): SourceMap | undefined {
  const file = `${path}.map`;
  if (!existsSync(file)) return undefined;
  return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload);
}
