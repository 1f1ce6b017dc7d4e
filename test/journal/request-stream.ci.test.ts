import type { AddressInfo } from 'node:net';
// @ts-expect-error It has no types of its own.
import compression from 'compression';
import express from 'express';
import { createMockServer, type MockServer } from '../../src/index.js';
import { clientOf } from '../support/client.js';
import { controlOf } from '../support/control.js';
import { until } from '../support/fetching.js';

interface Batch {
  readonly requests: { readonly id: number; readonly account?: string; readonly path: string }[];
  readonly dropped: number;
  readonly cleared: string[];
}

let server: MockServer;
beforeEach(async () => {
  server = await createMockServer();
  await server.start();
});
afterEach(() => server.stop());

const STREAM = '/__control/requests/stream';

/** Reads a stream until the test ends it. */
async function read(query: string, headers: Record<string, string> = {}) {
  const ending = new AbortController();
  const { signal } = ending;
  const response = await fetch(`${server.url}${STREAM}${query}`, { headers, signal });
  let text = '';
  let hasEnded = false;
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
  })()
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true;
    });
  const batches = () =>
    [...text.matchAll(/^event: requests\ndata: (.*)\n\n/gm)].map(
      ([, data = '']): Batch => JSON.parse(data),
    );
  const requests = () => batches().flatMap((batch) => batch.requests);
  return {
    response,
    text: () => text,
    hasEnded: () => hasEnded,
    batches,
    requests,
    /** The requests that have ended; a long one is also shown before. */
    ended: () => requests().filter((one) => 'outcome' in one),
    end: () => {
      ending.abort();
      return reading;
    },
  };
}

/** The public id of the account of a token. */
async function idOf(token: string): Promise<string | undefined> {
  const response = await fetch(`${server.url}/__control/accounts`);
  const { accounts } = (await response.json()) as { accounts: { id: string }[] };
  return accounts.toReversed()[server.tokens().indexOf(token)]?.id;
}

describe('GET /__control/requests/stream', () => {
  test('shows the requests of the account as they end, each with the public id', async () => {
    const stream = await read('', { Authorization: 'Bearer app' });
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    await clientOf(server, 'other').get('/measurements');
    await clientOf(server, 'app').get('/customers/nobody');
    await until(() => stream.ended().length > 0);
    const { get } = controlOf(server, 'app');
    const { receivedAt, ...listed } = (await get('/requests?received=true')).body.requests[0];
    expect(stream.ended()).toEqual([{ account: await idOf('app'), receivedAt, ...listed }]);
    // Of the same requests, the journal has the same list whenever they are sent.
    expect(server.account('app').journal.list()).toEqual([listed]);
    await stream.end();
  });

  test('of every account, and of the requests that reached none, with of=all', async () => {
    const stream = await read('?of=all');
    expect(server.tokens()).toEqual([]);
    await clientOf(server, 'one').get('/measurements');
    await clientOf(server, 'two').get('/measurements');
    await fetch(`${server.url}/invoices`);
    await until(() => stream.ended().length === 3);
    expect(stream.ended().map(({ account, path }) => [account, path])).toEqual([
      [await idOf('one'), '/measurements'],
      [await idOf('two'), '/measurements'],
      [undefined, '/invoices'],
    ]);
    await stream.end();
  });

  test('of the requests alone that reached no account, with of=server', async () => {
    const stream = await read('?of=server');
    await clientOf(server, 'one').get('/measurements');
    await fetch(`${server.url}/invoices`);
    await until(() => stream.ended().length > 0);
    expect(stream.ended()).toMatchObject([{ path: '/invoices', status: 404 }]);
    await stream.end();
  });

  test('gathers what comes in quick succession into few events', async () => {
    const stream = await read('?of=all');
    const client = clientOf(server);
    await Promise.all(Array.from({ length: 100 }, () => client.get('/measurements?limit=1')));
    await until(() => stream.ended().length === 100);
    expect(
      stream
        .ended()
        .map(({ id }) => id)
        .sort((one, other) => one - other),
    ).toEqual(Array.from({ length: 100 }, (_none, index) => index + 1));
    expect(stream.batches().length).toBeLessThan(50);
    await stream.end();
  });

  test('shows a request that is under way, and again when it has ended', async () => {
    const account = server.account('slow');
    account.faults.add({ kind: 'delay', delayMs: 400 });
    const stream = await read('?of=all');
    await clientOf(server, 'slow').get('/measurements');
    await until(() => stream.requests().length === 2);
    const [first, second] = stream.requests();
    expect(first).not.toHaveProperty('outcome');
    expect(second).toMatchObject({ id: first?.id, outcome: 'answered', status: 200 });
    await stream.end();
  });

  test('says whose journal was cleared', async () => {
    const control = controlOf(server, 'app');
    await control.service.get('/measurements');
    const stream = await read('?of=all');
    await control.post('/reset');
    await control.service.get('/customers/nobody');
    await until(() => stream.ended().length > 0);
    expect(stream.batches().flatMap(({ cleared }) => cleared)).toEqual([await idOf('app')]);
    await stream.end();
  });

  test('is open beside a hundred waits for requests', async () => {
    const { journal } = server.account('waiting');
    const filter = { operationId: 'getCustomer' } as const;
    const waits = Array.from({ length: 100 }, () => journal.waitFor(filter, { timeoutMs: 60_000 }));
    const stream = await read('?of=all');
    expect(stream.response.status).toBe(200);
    await controlOf(server, 'waiting').service.get('/customers/nobody');
    await Promise.all(waits);
    await stream.end();
  });

  test('is refused when a hundred are open, until one of them ends', async () => {
    const streams = await Promise.all(Array.from({ length: 100 }, () => read('?of=all')));
    const refused = await fetch(`${server.url}${STREAM}?of=server`);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      type: 'urn:usage-billing-mock:problem:conflict',
      detail:
        'The mock already has 100 open request streams, which is the maximum. Close some, or follow all accounts in a single stream with ?of=all.',
    });
    await streams.pop()?.end();
    let again = await read('?of=all');
    while (again.response.status === 409) again = await read('?of=all');
    expect(again.response.status).toBe(200);
    await Promise.all([...streams, again].map(({ end }) => end()));
  });

  test('is in no journal, and is no use of the account', async () => {
    await server.stop();
    server = await createMockServer({ dataset: 'empty', closeIdleAfter: '300ms' });
    await server.start();
    const stream = await read('', { Authorization: 'Bearer app' });
    expect(server.account('app').journal.count()).toBe(0);
    await until(() => server.tokens().length === 0);
    await until(stream.hasEnded);
    expect(server.journal.count()).toBe(0);
  });

  test('with responses=true has the journals keep the bodies of responses while it is open', async () => {
    const client = clientOf(server, 'app');
    const responseBody = async () => {
      await client.get('/customers/nobody');
      return server.account('app').journal.list().at(-1)?.responseBody;
    };
    expect(await responseBody()).toBeUndefined();
    const streams = [await read('?of=all'), await read('?of=server&responses=true')];
    expect(await responseBody()).toMatchObject({ title: 'Not found' });
    expect(streams[0]?.requests().some((one) => 'responseBody' in one)).toBe(false);
    for (const stream of streams) await stream.end();
    let body: unknown = {};
    while (body !== undefined) body = await responseBody();
  });

  test('ends when its account is closed', async () => {
    const stream = await read('', { Authorization: 'Bearer app' });
    server.closeAccount('app');
    await until(stream.hasEnded);
  });

  test('ends when the server stops, which does not wait for it', async () => {
    const stop = async () => {
      const streams = [await read('?of=all'), await read('?of=server')];
      const startedAt = performance.now();
      await server.stop();
      const tookMs = performance.now() - startedAt;
      await until(() => streams.every(({ hasEnded }) => hasEnded()));
      await server.start();
      return tookMs;
    };
    // The fastest of three, because the machine may be busy; a stop that waits takes 500 ms.
    expect(Math.min(await stop(), await stop(), await stop())).toBeLessThan(400);
    const stream = await read('?of=all');
    expect(stream.response.status).toBe(200);
    await stream.end();
  });

  test('counts what it missed for one who has not read it for a while, and goes on', async () => {
    // A socket would buffer some megabytes before the server must wait for its reader.
    const unread = await server.fetch(`${STREAM}?of=all`);
    const headers = { Authorization: 'Bearer app', 'User-Agent': 'x'.repeat(10_000) };
    for (let nth = 0; nth < 1_000; nth += 1) await server.fetch('/customers/x', { headers });
    let text = '';
    const batches = () =>
      [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data = '']): Batch => JSON.parse(data));
    const missed = () => batches().reduce((sum, { dropped }) => sum + dropped, 0);
    const shown = () =>
      new Set(
        batches().flatMap(({ requests }) =>
          requests.flatMap((one) => ('outcome' in one ? one.id : [])),
        ),
      );
    const reader = unread.body?.pipeThrough(new TextDecoderStream()).getReader();
    const read = async () => {
      text += (await reader?.read())?.value ?? '';
    };
    while (shown().size + missed() < 1_000) await read();
    // Each of them counts as several, because they are long.
    expect(shown().size).toBeLessThan(100);
    await server.fetch('/customers/the-last', { headers });
    while (!shown().has(1_001)) await read();
    await reader?.cancel();
  });

  test('counts what comes too fast for one who reads', async () => {
    const stream = await read('?of=all');
    await Promise.all(
      Array.from({ length: 1_000 }, () =>
        server.fetch('/customers/x', { headers: { Authorization: 'Bearer app' } }),
      ),
    );
    const dropped = () => stream.batches().reduce((sum, batch) => sum + batch.dropped, 0);
    await until(() => new Set(stream.ended().map(({ id }) => id)).size + dropped() === 1_000);
    expect(dropped()).toBeGreaterThan(0);
    expect(Math.max(...stream.batches().map(({ requests }) => requests.length))).toBe(250);
    await stream.end();
  });

  test('in process waits for its reader', async () => {
    const response = await server.fetch(`${STREAM}?of=all`);
    const headers = { Authorization: 'Bearer app' };
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let nth = 0; nth < 3; nth += 1) {
      await server.fetch('/customers/x', { headers });
      let text = '';
      while (!text.includes('"outcome"')) text += (await reader?.read())?.value ?? '';
    }
    await reader?.cancel();
  });

  test('names at most 1000 accounts whose journals were cleared at once, and counts the others', async () => {
    const tokens = Array.from({ length: 1_300 }, (_, nth) => `app-${nth}`);
    for (const token of tokens) {
      await server.fetch('/customers/x', { headers: { Authorization: `Bearer ${token}` } });
    }
    const stream = await read('?of=all');
    for (const token of tokens) server.account(token).journal.clear();
    await until(() => stream.batches().some(({ cleared }) => cleared.length > 0));
    const [batch] = stream.batches().filter(({ cleared }) => cleared.length > 0);
    expect(batch?.cleared).toHaveLength(1_000);
    expect(batch?.dropped).toBe(300);
    await stream.end();
  });

  test('drops nothing because of long responses, which it does not show', async () => {
    const stream = await read('?of=all&responses=true');
    const client = clientOf(server);
    await Promise.all(Array.from({ length: 60 }, () => client.get('/measurements?limit=1000')));
    await fetch(`${server.url}/the-last`);
    await until(() => stream.requests().some(({ path }) => path === '/the-last'));
    expect(new Set(stream.batches().map(({ dropped }) => dropped))).toEqual(new Set([0]));
    await stream.end();
  });

  test.each([
    ['', {}, 401],
    ['?of=nobody', { Authorization: 'Bearer app' }, 400],
    ['', { 'X-Account-Id': 'unknown' }, 404],
    ['?of=all', { Host: 'page.example' }, 403],
  ])('refuses %j with %j', async (query, headers, status) => {
    const response = await server.fetch(`${STREAM}${query}`, {
      headers: headers as Record<string, string>,
    });
    expect(response.status).toBe(status);
  });

  test('is not held back by what compresses responses', async () => {
    const outer = express().use(compression()).use(server.app).listen(0, '127.0.0.1');
    await new Promise((resolve) => outer.once('listening', resolve));
    const { port } = outer.address() as AddressInfo;
    const ending = new AbortController();
    const { headers, body } = await fetch(`http://127.0.0.1:${port}${STREAM}?of=all`, ending);
    expect(headers.get('cache-control')).toBe('no-store, no-transform');
    expect(headers.get('content-encoding')).toBeNull();
    const { value } = (await body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain(': The requests follow');
    ending.abort();
    outer.close();
  });

  test('answers HEAD without a stream', async () => {
    const response = await fetch(`${server.url}${STREAM}?of=all`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });
});
