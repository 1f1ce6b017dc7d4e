// Reduces a source map to what the package ships: enough to name lines of src/ in stacks.
import { decode, encode } from '@jridgewell/sourcemap-codec';

/**
 * The map of only the code that comes from src/, by lines and without its contents; undefined if
 * there is none.
 * `columnOf` finds the column of a character in the shipped code.
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
    // Marks the end of our code, because lines of other packages would count as its last line.
    const parts = segments.length > 0 ? segments : [[]];
    for (const [column = 0, source = -1, row = 0, from = 0] of parts) {
      const wasOwn = isOwn;
      const place = own.indexOf(sources[source] ?? '');
      isOwn = place >= 0;
      const [, known, knownRow] = kept.at(-1) ?? [];
      // One segment for each line of a source: columns within it would take most of the map.
      if (isOwn && known === place && knownRow === row) continue;
      if (isOwn) kept.push([columnOf(line, column), place, row, from]);
      else if (wasOwn) kept.push([columnOf(line, column)]);
    }
    return kept;
  });
  return { version: 3, sources: own, names: [], mappings: encode(lines) };
}
