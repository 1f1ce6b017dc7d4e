import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { useCommands } from '../support/command.js';

const start = useCommands('--log-level', 'warn');

/** The heap that Node takes by itself in a container of 512 MB. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=256' };
const MB = 1_024;
const AT_ONCE = 8;

interface Fill {
  readonly requests: number;
  readonly ofEachAccount: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly refs: string;
  /** The end of each token. */
  readonly token?: string;
}

const FILLS: readonly [what: string, flags: string[], fill: Fill][] = [
  [
    'long header fields and bodies',
    [],
    {
      ...{ requests: 8_000, ofEachAccount: 1_000, refs: 'x'.repeat(16_000) },
      headers: { 'X-Long': 'x'.repeat(15_000) },
    },
  ],
  [
    'letters that take two bytes each',
    [],
    { requests: 8_000, ofEachAccount: 1_000, refs: 'я'.repeat(8_000) },
  ],
  [
    'requests that take just one place each',
    [],
    { requests: 53_000, ofEachAccount: 1_000, refs: 'x'.repeat(1_750) },
  ],
  [
    'accounts with long tokens that are closed after one request',
    ['--close-idle-after', '1s'],
    { requests: 30_000, ofEachAccount: 1, refs: 'x', token: 'x'.repeat(1_700) },
  ],
];

/** Calls a mock from several connections; returns the statuses that it got. */
async function send(url: string, { requests, ofEachAccount, headers, refs, token = '' }: Fill) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const body = JSON.stringify({ refs: [refs] });
  const statuses = new Set<number>();
  const call = (nth: number) =>
    new Promise<void>((resolve, reject) => {
      const sent = request(`${url}/events/delete-by-refs`, {
        ...{ agent, method: 'POST' },
        headers: {
          ...headers,
          Authorization: `Bearer token-${Math.floor(nth / ofEachAccount)}${token}`,
          'Content-Type': 'application/json',
        },
      });
      sent.on('error', reject).on('response', (response) => {
        statuses.add(response.statusCode ?? 0);
        response.resume().on('end', resolve);
      });
      sent.end(body);
    });
  let next = 0;
  const work = async () => {
    while (next < requests) await call(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  agent.destroy();
  return statuses;
}

test.each(FILLS)('a process of 512 MB survives journals full of %s', async (_what, flags, fill) => {
  const { command, url } = await start(flags, SMALL_HEAP);
  expect([...(await send(url, fill))]).toEqual([200]);
  // Nothing is left of the first account, or of its requests.
  const listed = await fetch(`${url}/__control/accounts?closed=true&cursor=2`);
  for (const { id, requests } of Object(await listed.json()).accounts) {
    const headers = { 'X-Account-Id': id };
    const counted = await fetch(`${url}/__control/requests/count`, { method: 'POST', headers });
    expect(await counted.json()).toEqual({ count: 0, evicted: requests });
  }
  const [, peakKilobytes] =
    /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${command.pid}/status`, 'utf8')) ?? [];
  expect(Number(peakKilobytes)).toBeLessThan(512 * MB);
  command.kill('SIGTERM');
  expect(await command.ended()).toBe(0);
});
