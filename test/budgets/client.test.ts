import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** The client's budget, since every test file and page loads it. */
const MOST_BYTES = 29_500;
const MOST_BYTES_COMPRESSED = 9_500;

test.each(['dist/client.mjs', 'dist/client.cjs'])('%s imports nothing, and is small', (file) => {
  const code = readFileSync(file, 'utf8');
  expect(code.match(/\bimport\b.*['"]|\brequire\(|\bprocess\.|\bBuffer\b/g)).toBeNull();
  expect(code.length).toBeLessThanOrEqual(MOST_BYTES);
  expect(gzipSync(code).length).toBeLessThanOrEqual(MOST_BYTES_COMPRESSED);
});
