import { jest } from '@jest/globals';
import { createMockServer } from '../../src/index.js';

/** The lines of the log of a server of its own while this is done. */
async function linesOf(
  act: (server: Awaited<ReturnType<typeof createMockServer>>) => Promise<void>,
) {
  const lines: { readonly url?: string; readonly durationMs?: number }[] = [];
  const writing = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
  try {
    await act(await createMockServer({ logLevel: 'info', logFormat: 'json' }));
    return lines.filter(({ url }) => url === '/measurements');
  } finally {
    writing.mockRestore();
  }
}

test('the log has how long an answer took, to a tenth of a millisecond', async () => {
  let most = 0;
  const lines = await linesOf(async (server) => {
    server.account('slow').faults.add({ kind: 'delay', delayMs: 50 });
    const startedAt = performance.now();
    await server.fetch('/measurements', { headers: { Authorization: 'Bearer slow' } });
    await new Promise((after) => setTimeout(after, 20));
    most = performance.now() - startedAt;
  });
  expect(lines).toHaveLength(1);
  const { durationMs = 0 } = lines[0] ?? {};
  // A timer may end a moment early.
  expect(durationMs).toBeGreaterThan(48);
  expect(durationMs).toBeLessThan(most + 0.1);
  expect(durationMs).toBe(Number(durationMs.toFixed(1)));
});
