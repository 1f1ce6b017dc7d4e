import type { RequestListener } from 'node:http';
import { jest } from '@jest/globals';
import { LEDGER } from '../../src/core/decisions/ledger.js';
import { createMockServer, OptionError, type SettleReport, settle } from '../../src/index.js';
import { fixtureFolder, writeFixture } from '../support/fixture.js';
import { json, ONE_PAGE, useServices } from '../support/services.js';

const TOKEN = 'a-secret/that~leaks+nowhere==';
// Few records, as every run reads all pages and asks the mock about them.
const FEW = 'test/support/few-measurements.yaml';
const serve = useServices();

/** Sends requests without waiting between them. */
function ask(target: string, options = {}): Promise<SettleReport> {
  return settle({ target, token: TOKEN, rate: 1000, ...options });
}

/** The decisions of which a report says something. */
function toldIn({ verdicts }: SettleReport) {
  return verdicts
    .filter(({ verdict }) => verdict === 'settled' || verdict === 'none')
    .map(({ decision }) => decision);
}

describe('settle, of a mock,', () => {
  test('sends GET alone, with the token or one that it made up', async () => {
    const server = await createMockServer({ dataset: FEW, accounts: { [TOKEN]: {} } });
    const target = await server.start();
    const report = await ask(target);
    await server.stop();
    const journals = [server, ...server.tokens().map((token) => server.account(token))];
    const requests = journals.flatMap(({ journal }) => journal.list());
    expect(requests.length).toBeGreaterThan(5);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(requests).toHaveLength(report.requests);
    expect(report).not.toHaveProperty('brokenOff');
    expect(report.verdicts.map(({ decision }) => decision)).toEqual(Object.keys(LEDGER));
    expect(report.verdicts).toContainEqual({
      decision: 'final-cursor',
      verdict: 'settled',
      value: 'absent',
      inForce: 'absent',
      agrees: true,
      restsOn: expect.stringMatching(/^\d+ responses? to \d+ requests?/),
      evidence: [expect.stringMatching(/^not empty-string: GET \/measurements/)],
    });
  });

  test('sends a made-up token also if the given one has no letters and digits', async () => {
    const server = await createMockServer({ dataset: FEW, accounts: { '-----': {} } });
    const target = await server.start();
    await ask(target, { token: '-----', only: ['unknown-token', 'unauthorized-status'] });
    await server.stop();
    const withoutToken = server.journal.list().filter(({ headers }) => !headers.authorization);
    expect(withoutToken).toHaveLength(1);
    expect(server.tokens().filter((token) => token !== '-----')).toHaveLength(2);
  });

  test('reads responses whole where the token is a letter of other words', async () => {
    const server = await createMockServer({ dataset: FEW });
    const target = await server.start();
    const { verdicts, lost } = await ask(target, { token: 't', only: ['final-cursor'] });
    await server.stop();
    expect({ verdict: verdicts[0]?.verdict, lost }).toEqual({ verdict: 'settled', lost: 0 });
  });

  test('compares with the values in force, and judges only the named decisions', async () => {
    const server = await createMockServer({ dataset: FEW });
    const target = await server.start();
    const { verdicts } = await ask(target, {
      only: ['final-cursor'],
      inForce: { 'final-cursor': 'empty-string' },
    });
    await server.stop();
    expect(verdicts).toEqual([
      expect.objectContaining({ value: 'absent', inForce: 'empty-string', agrees: false }),
    ]);
  });

  test('asks again for a name that two customers have, also if it met them last', async () => {
    const names = ['Ash', 'Birch', 'Cedar', 'Elm', 'Fir', 'Fir'];
    const customers = names.map((name, at) => ({ id: `customer-${at}`, name }));
    const dataset = writeFixture(JSON.stringify({ customers }));
    const server = await createMockServer({ dataset });
    const ids = customers.map(({ id }) => id);
    await ask(await server.start(), { only: ['duplicate-name'], customers: ids });
    await server.stop();
    const asked = server.account(TOKEN).journal.list();
    expect(asked.filter(({ path }) => path === '/customers/name/Fir')).toHaveLength(4);
  });

  test('asks under the path that the target has', async () => {
    const { url, received } = await serve(json(200, ONE_PAGE));
    const { target } = await ask(`${url}/v1/`, { only: ['final-cursor'] });
    expect(target).toBe(`${url}/v1`);
    expect(received[0]?.url).toMatch(/^\/v1\/measurements/);
    expect(received[0]?.authorization).toBe(`Bearer ${TOKEN}`);
  });

  test('sends no more requests than it may, and says so', async () => {
    const { url, received } = await serve(json(200, ONE_PAGE));
    const report = await ask(url, { maxRequests: 2 });
    expect([received.length, report.requests]).toEqual([2, 2]);
    expect(report.brokenOff).toBe('the limit of 2 requests was reached');
  });

  test('keeps to the rate', async () => {
    const { url } = await serve(json(200, ONE_PAGE));
    const startedAt = performance.now();
    await ask(url, { rate: 20, maxRequests: 4 });
    expect(performance.now() - startedAt).toBeGreaterThan(140);
  });
});

describe('settle, of a service that', () => {
  /** The URL of a service that has stopped. */
  async function urlOfNobody(): Promise<string> {
    const server = await createMockServer();
    const url = await server.start();
    await server.stop();
    return url;
  }

  test('is not there, gives up after three requests', async () => {
    const report = await ask(await urlOfNobody());
    expect(report.requests).toBe(3);
    expect(report.brokenOff).toMatch(
      /^3 requests in a row failed, the last: GET .* -> no response, the connection was refused$/,
    );
    expect(toldIn(report)).toEqual([]);
    const [{ verdict, reason } = {}] = report.verdicts.filter(
      ({ decision }) => decision === 'final-cursor',
    );
    expect([verdict, reason]).toEqual([
      'could-not-check',
      expect.stringMatching(/^The run is incomplete: /),
    ]);
  });

  test('is not there, says so after a single request, too', async () => {
    const report = await ask(await urlOfNobody(), { only: ['name-matches'] });
    expect(report.brokenOff).toContain('no response');
  });

  const endings: [string, RequestListener, object, number, RegExp][] = [
    ['is slow', () => {}, { timeoutMs: 1_500 }, 3, /no response within 1.5 s/],
    ['fails', json(500, {}), {}, 3, /3 requests in a row failed, the last: GET .* -> 500/],
    ['refuses the token', json(401, {}), {}, 1, /^GET .* -> 401, the token was refused$/],
    ['forbids', json(403, {}), {}, 1, /^GET .* -> 403, the token was refused$/],
    ['closes the connection', (request) => request.destroy(), {}, 3, /the connection was closed/],
    [
      'asks to wait an hour',
      json(429, {}, { 'Retry-After': '3600' }),
      {},
      1,
      /needs a wait of 3600 s, but only 60 s are left of the 60 s for waiting$/,
    ],
    [
      'asks twice to wait an hour',
      (_request, response) => response.writeHead(429, { 'Retry-After': ['3600', '3600'] }).end(),
      {},
      1,
      /needs a wait of 3600 s/,
    ],
    [
      'asks to wait for years',
      json(429, {}, { 'Retry-After': 'Fri, 31 Dec 2060 23:59:59 GMT' }),
      {},
      1,
      /needs a wait of \d+ s, /,
    ],
    [
      'has too many requests',
      json(429, {}, { 'Retry-After': '0' }),
      {},
      18,
      /429, too many requests/,
    ],
  ];

  test.each(endings)('%s, is not asked any further', async (_, answer, options, requests, why) => {
    const { url, received } = await serve(answer);
    const report = await ask(url, options);
    expect([received.length, report.requests]).toEqual([requests, requests]);
    expect(report.brokenOff).toMatch(why);
    expect(toldIn(report)).toEqual([]);
    expect(report.verdicts.filter(({ reason = '' }) => reason === '')).toEqual([]);
  });

  test('breaks off after a request, keeps what it told until then', async () => {
    let requests = 0;
    const { url } = await serve((request, response) => {
      requests += 1;
      if (requests > 1) request.destroy();
      else json(200, ONE_PAGE)(request, response);
    });
    const report = await ask(url);
    expect(report.brokenOff).toContain('the connection was closed');
    expect(toldIn(report)).toEqual(['final-cursor', 'undocumented-fields']);
  });

  test('asks to wait once, gets what it asks for', async () => {
    let requests = 0;
    const { url } = await serve((request, response) => {
      requests += 1;
      const retry = { 'Retry-After': '0' };
      (requests === 1 ? json(429, {}, retry) : json(200, ONE_PAGE))(request, response);
    });
    const report = await ask(url, { only: ['final-cursor'] });
    expect(report).not.toHaveProperty('brokenOff');
    expect(toldIn(report)).toEqual(['final-cursor']);
  });

  test('does not say how long to wait, is left alone longer each time', async () => {
    const atMs: number[] = [];
    const { url } = await serve((request, response) => {
      atMs.push(performance.now());
      (atMs.length < 3 ? json(429, {}) : json(200, ONE_PAGE))(request, response);
    });
    const report = await ask(url, { only: ['final-cursor'] });
    expect(toldIn(report)).toEqual(['final-cursor']);
    const [first = 0, second = 0, third = 0] = atMs;
    expect(second - first).toBeGreaterThan(990);
    expect(third - second).toBeGreaterThan(1_990);
  });

  test('asks to wait again and again, is waited for 60 s in all', async () => {
    const { url, received } = await serve((request, response) => {
      const retry = { 'Retry-After': received.length === 1 ? '1' : '60' };
      json(503, {}, retry)(request, response);
    });
    const report = await ask(url, { only: ['final-cursor'] });
    expect(received).toHaveLength(2);
    expect(report.brokenOff).toMatch(
      /503, needs a wait of 60 s, but only 59 s are left of the 60 s for waiting$/,
    );
  });

  test('redirects to another server, is not followed, but told the target', async () => {
    const other = await serve(json(200, ONE_PAGE));
    const { url, received } = await serve((request, response) => {
      json(308, {}, { Location: `${other.url}/v2${request.url}` })(request, response);
    });
    const { brokenOff } = await ask(url, { only: ['name-matches'] });
    expect(other.received).toEqual([]);
    expect(received).toHaveLength(3);
    expect(brokenOff).toBe(
      `3 requests in a row failed, the last: GET /customers/name/{name} -> 308, a redirect to ${other.url}, which is not followed: use --target ${other.url}/v2 (target in the library)`,
    );
  });

  test.each([
    ['to nowhere', {}, 'no URL'],
    ['to what is no URL', { Location: 'http://' }, 'no URL'],
    ['to a page', { Location: 'https://login.example/?for=acme' }, 'https://login.example'],
  ])('redirects %s, is not followed', async (_where, headers, to) => {
    const { url } = await serve(json(302, {}, headers));
    const report = await ask(url, { only: ['final-cursor'] });
    expect(report.brokenOff).toMatch(
      new RegExp(`302, a redirect to ${to}, which is not followed$`),
    );
  });

  test('redirects to itself, is not told its own target', async () => {
    const { url } = await serve(json(307, {}, { Location: '/measurements' }));
    const { brokenOff } = await ask(url, { only: ['final-cursor'] });
    expect(brokenOff).toMatch(/a redirect to http:\S+, which is not followed$/);
  });

  test('has its media type twice, is read as if it had it once', async () => {
    const { url } = await serve((request, response) => {
      const type = 'application/json';
      response.writeHead(request.url?.startsWith('/customers') ? 404 : 400, {
        'Content-Type': [type, type],
      });
      response.end('{"message":"No"}');
    });
    const { verdicts } = await ask(url, { only: ['error-body'] });
    expect(verdicts[0]).toMatchObject({ verdict: 'settled', value: 'message' });
  });

  test('repeats the token wherever it can, does not get it into the report', async () => {
    const repeated = [TOKEN, encodeURIComponent(TOKEN), TOKEN.replaceAll('/', '\\/')];
    const { url } = await serve((request, response) => {
      const names = Object.fromEntries(repeated.map((text) => [text, text]));
      const record = { id: TOKEN, source: TOKEN, [TOKEN]: TOKEN };
      const page = {
        ...ONE_PAGE,
        ...names,
        measurements: [record],
        nextCursor: TOKEN,
        total: TOKEN,
      };
      const isFirst = !request.url?.includes('cursor');
      json(
        isFirst ? 200 : 400,
        { ...page, hasMore: isFirst },
        { 'X-Token': TOKEN },
      )(request, response);
    });
    const text = JSON.stringify(await ask(url));
    for (const form of repeated) expect(text).not.toContain(form);
    expect(text).not.toContain('a-secret');
  });

  test('sends more than it should, does not fill the memory', async () => {
    const chunk = Buffer.alloc(2 ** 20, ' ');
    const { url } = await serve((_request, response) => {
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    });
    const report = await ask(url, { only: ['final-cursor'] });
    expect(report.brokenOff).toMatch(/ -> a response of more than 16777216 bytes$/);
  });
});

describe('settle, interrupted,', () => {
  test('reports what is known until then', async () => {
    const interruption = new AbortController();
    const { url, received } = await serve((request, response) => {
      if (received.length > 1) interruption.abort();
      else json(200, ONE_PAGE)(request, response);
    });
    const report = await ask(url, { signal: interruption.signal });
    expect(report).toMatchObject({ requests: 2, brokenOff: 'it was interrupted' });
    expect(toldIn(report)).toContain('final-cursor');
  });

  test('sends nothing if it was so from the start', async () => {
    const { url, received } = await serve(json(200, ONE_PAGE));
    const report = await ask(url, { signal: AbortSignal.abort() });
    expect([received.length, report.brokenOff]).toEqual([0, 'it was interrupted']);
  });
});

describe('settle, while a test fakes the time,', () => {
  const thirtyYearsAgo = Date.now() - 30 * 365 * 86_400_000;
  beforeEach(() => jest.useFakeTimers({ now: thirtyYearsAgo }));
  afterEach(() => jest.useRealTimers());

  test('reports when it really began', async () => {
    const { url } = await serve(json(200, ONE_PAGE));
    const { startedAt } = await ask(url, { only: ['final-cursor'] });
    expect(Date.parse(String(startedAt))).toBeGreaterThan(thirtyYearsAgo + 86_400_000);
  });

  test('waits until the real time that it is asked to wait for', async () => {
    const until = new Date(jest.getRealSystemTime()).toUTCString();
    const { url, received } = await serve((request, response) => {
      const retry = { 'Retry-After': until };
      (received.length === 1 ? json(429, {}, retry) : json(200, ONE_PAGE))(request, response);
    });
    const report = await ask(url, { only: ['final-cursor'] });
    expect(report).not.toHaveProperty('brokenOff');
    expect(toldIn(report)).toEqual(['final-cursor']);
  });
});

describe('settle refuses', () => {
  const target = 'http://127.0.0.1:9';
  const given = { target, token: 't' };
  const isOf = { recordings: [`${fixtureFolder}/nowhere.har`] };

  test.each<[object | null, string]>([
    [null, 'The options are null; expected an object.'],
    [{ token: 't' }, "The option 'target' is missing; expected the URL of a service."],
    [{ target }, "The option 'token' is missing; expected a bearer token"],
    [{ ...given, token: 'a b' }, "The option 'token' is invalid; expected a bearer token"],
    [{ ...given, target: 'ftp://a' }, 'The target is not an HTTP or HTTPS URL'],
    [{ ...given, target: 'http://me:secret@a' }, 'contains a user or a password'],
    [{ ...given, target: 'http://a?key=secret' }, 'contains a query or a fragment'],
    [{ ...given, targets: 'x' }, "Unknown option 'targets'. Did you mean 'target'?"],
    [{ ...given, only: ['final-curso'] }, "Did you mean 'final-cursor'?"],
    [{ ...given, rate: 0 }, "The option 'rate' is 0; expected a number above 0, up to 1000."],
    [{ ...given, maxRequests: 1.5 }, "The option 'maxRequests' is 1.5; expected a whole number"],
    [{ ...given, customers: [''] }, 'The option \'customers\' is [""]; expected a list of'],
    [{ ...given, inForce: { 'final-cursor': 'empty' } }, "Did you mean 'empty-string'?"],
    [
      { ...given, allowWrites: true },
      "The option 'allowWrites' needs the option 'scratchContracts' or",
    ],
    [{ ...given, scratchRefs: ['r'] }, "needs the option 'allowWrites'"],
    [{ ...given, ...isOf }, "The option 'target' cannot be used with the option 'recordings'"],
    [{ ...given, basePath: '/v1' }, "The option 'basePath' cannot be used with the option"],
    [{ basePath: '/v1' }, "The option 'basePath' needs the option 'recordings'"],
    [{ recordings: ['a.har'], basePath: 'https://' }, 'expected a path such as /v1, or a URL.'],
    [{ recordings: [] }, "The option 'recordings' is []; expected a list of paths of HAR files."],
    [isOf, `The recording '${fixtureFolder}/nowhere.har' cannot be read: it does not exist;`],
  ])('%j', async (options, sentence) => {
    const error = await settle(options as never).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(OptionError);
    expect(error.message).toContain(sentence);
    expect(error.message).not.toContain('secret');
  });
});
