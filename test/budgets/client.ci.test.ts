import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** What pages and applications load, whose bundlers would follow every import, and how large it may be. */
const BUDGETS = [
  { entry: 'client', bytes: 32_000, compressed: 10_000 },
  { entry: 'playwright-app', bytes: 4_500, compressed: 1_900 },
].flatMap((budget) =>
  ['mjs', 'cjs'].map((type) => ({ file: `dist/${budget.entry}.${type}`, ...budget })),
);

test.each(BUDGETS)('$file imports nothing, and is small', ({ file, bytes, compressed }) => {
  const code = readFileSync(file, 'utf8');
  expect(code.match(/\bimport\b.*['"]|\brequire\(|\bprocess\.|\bBuffer\b/g)).toBeNull();
  expect(code.length).toBeLessThanOrEqual(bytes);
  expect(gzipSync(code).length).toBeLessThanOrEqual(compressed);
});
