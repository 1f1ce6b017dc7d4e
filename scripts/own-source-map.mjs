// What stays of a source map in the package: enough to name a line of src/ in a stack.
import { decode, encode } from '@jridgewell/sourcemap-codec';

/**
 * The map of the parts of the code that come from src/, without contents; nothing if none does.
 * `columnOf` says where a column of a line lies in the code as it is shipped.
 *
 * @param {{ sources: string[], mappings: string }} map
 * @param {(line: number, column: number) => number} columnOf
 */
export function ownSourceMap({ sources, mappings }, columnOf) {
  const own = sources.filter((source) => source.startsWith('../src/'));
  if (own.length === 0) return undefined;
  let isOwn = false;
  const lines = decode(mappings).map((segments, line) => {
    /** @type {import('@jridgewell/sourcemap-codec').SourceMapSegment[]} */
    const kept = [];
    // Without an end, the lines of others that follow would count to the last line of our own.
    const parts = segments.length > 0 ? segments : [[]];
    for (const [column = 0, source = -1, row = 0, from = 0] of parts) {
      const wasOwn = isOwn;
      const place = own.indexOf(sources[source] ?? '');
      isOwn = place >= 0;
      if (isOwn) kept.push([columnOf(line, column), place, row, from]);
      else if (wasOwn) kept.push([columnOf(line, column)]);
    }
    return kept;
  });
  return { version: 3, sources: own, names: [], mappings: encode(lines) };
}
