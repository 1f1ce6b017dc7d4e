import type { FaultRequest } from '../../src/index.js';
import { useCommands } from '../support/command.js';
import { type Fetched, fetchAs } from '../support/fetching.js';

const start = useCommands('--log-level', 'silent');

/** Starts the command, and calls it as one account with JSON. */
async function startedClient() {
  const { url } = await start();
  return (method: string, path: string, body?: object) =>
    fetchAs({ url }, 'a-team', path, {
      method,
      ...(body && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
}

/** What a client sees of the distorted response. */
const DISTORTED: readonly [FaultRequest, (real: Fetched) => Partial<Fetched>][] = [
  [{ kind: 'malformed-json' }, ({ text }) => ({ text: text.slice(0, -1) })],
  [{ kind: 'truncated' }, () => ({ text: '', failure: 'terminated: UND_ERR_SOCKET' })],
  [{ kind: 'slow', delayMs: 200 }, ({ text }) => ({ text })],
];

describe('a fault that is set over HTTP on a running command', () => {
  test.each(DISTORTED)('%j distorts the real response of a read, once', async (fault, expected) => {
    const call = await startedClient();
    const customer = '/customers/65a000000000000000000001';
    const real = await call('GET', customer);
    expect((await call('POST', '/__control/faults', fault)).status).toBe(201);
    const seen = await call('GET', customer);
    expect(seen).toMatchObject({ status: 200, ...expected(real) });
    expect(seen.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(seen.durationMs).toBeGreaterThanOrEqual(('delayMs' in fault ? fault.delayMs : 0) - 5);
    expect(seen.pieces > 2).toBe(fault.kind === 'slow');
    expect(await call('GET', customer)).toMatchObject({ status: 200, text: real.text });
  });

  test('truncated, hides that a contract was deleted, and stays until it is removed', async () => {
    const call = await startedClient();
    const [contract, customer] = [
      '/contracts/65b000000000000000000001',
      '/customers/65a000000000000000000001',
    ];
    const fault = { kind: 'truncated', times: 'always' } as const;
    const { text } = await call('POST', '/__control/faults', fault);
    const hidden = [await call('DELETE', contract), await call('GET', customer)];
    expect(hidden.map(({ failure }) => failure)).toEqual(
      hidden.map(() => 'terminated: UND_ERR_SOCKET'),
    );
    await call('DELETE', `/__control/faults/${JSON.parse(text).id}`);
    const repeated = await call('DELETE', contract);
    expect(JSON.parse(repeated.text)).toMatchObject({ status: 404, decision: 'repeat-delete' });
    expect((await call('GET', customer)).failure).toBeUndefined();
  });

  test.each(['malformed-json', 'truncated', 'slow'] as const)(
    'of the kind %s is refused before the operation',
    async (kind) => {
      const call = await startedClient();
      const delay = kind === 'slow' && { delayMs: 1 };
      const fault = { kind, phase: 'before', ...delay } as const;
      const { status, text } = await call('POST', '/__control/faults', fault);
      expect([status, text]).toEqual([
        400,
        expect.stringContaining(`expected 'after' with the kind '${kind}'`),
      ]);
    },
  );
});
