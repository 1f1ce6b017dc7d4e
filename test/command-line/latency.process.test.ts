import { runCommand, useCommands } from '../support/command.js';
import { fetchAs } from '../support/fetching.js';

const start = useCommands('--dataset', 'empty', '--log-level', 'silent');

describe('--latency', () => {
  test.each([
    [['--latency', '150'], {}],
    [['--latency', '150..160'], {}],
    [[], { USAGE_BILLING_MOCK_LATENCY: '150..160' }],
    [['--latency', '150'], { USAGE_BILLING_MOCK_LATENCY: '0' }],
  ])(
    'of %j with %j holds back every response but those of the control plane',
    async (args, env) => {
      const { url } = await start(args, env);
      for (const path of ['/measurements', '/customers/nobody', '/nowhere']) {
        const { durationMs } = await fetchAs({ url }, 't', path);
        expect(durationMs).toBeGreaterThanOrEqual(145);
      }
      const { text } = await fetchAs({ url }, 't', '/__control/latency');
      expect(JSON.parse(text)).toMatchObject({ minMs: 150 });
    },
  );

  test('draws the same delays in two runs with the same seed', async () => {
    const runs = [];
    for (const seed of ['1', '1', '2']) {
      const { url } = await start(['--latency', '0..20', '--seed', seed]);
      for (let count = 0; count < 8; count += 1) await fetchAs({ url }, 't', '/measurements');
      const { text } = await fetchAs({ url }, 't', '/__control/requests');
      const { requests } = JSON.parse(text) as { requests: { latencyMs: number }[] };
      runs.push(requests.map(({ latencyMs }) => latencyMs));
    }
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]).not.toEqual(runs[0]);
  });

  test.each(['200..20', '-1', '60001', '1..60001', 'fast', '20-200', ''])(
    'of %j is refused with exit code 2 and one sentence',
    async (latency) => {
      const command = runCommand(['--port', '0', '--latency', latency]);
      expect(await command.ended()).toBe(2);
      expect(command.stderr().trim()).toBe(
        `usage-billing-mock: --latency is ${JSON.stringify(latency)}; expected milliseconds from 0 to 60000, as one whole number such as 300 or as a range such as "20..200", lower number first.`,
      );
    },
  );
});
