import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeRequests } from '../../src/kits/account-of-test/describe-requests.js';
import { connectMockServer } from '../../src/mock/client/connect-mock-server.js';
import { useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { fixtureFolder, writeFixture } from '../support/fixture.js';

const start = useCommands('--log-level', 'trace', '--log-format', 'json');

const STUBS = `stubs:
  - { method: POST, path: /login, body: { user: "{{body.user}}" } }
  - { method: POST, path: /upload, status: 204 }
  - { method: POST, path: /echo, body: { note: "{{body.password}}" } }
  - { method: POST, path: /session, body: { access_token: fixed-in-stub, credentials: [fixed-in-stub] } }
  - { method: GET, path: "/reset/{resetToken}/{id}", headers: { X-Reset: "{{path.resetToken}}" } }
  - { method: POST, path: /moved, status: 302, headers: { Location: "/x?a=1#access_token=fixed-in-stub" } }
`;

type Planted = readonly [path: string, init?: RequestInit & { readonly type?: string }];

const json = (body: object) => ({ method: 'POST', body: JSON.stringify(body) });
const text = (body: string, type = 'application/json') => ({ method: 'POST', body, type });

/** Requests that have a secret in every place that can have one. */
function requestsWith(secret: string): readonly Planted[] {
  const events = '/events/delete-by-refs';
  const form = 'application/x-www-form-urlencoded';
  return [
    [`/measurements?access_token=${secret}&api_key=${secret}`],
    [`/measurements?passwd=${secret}&limit=0`],
    [`/measurements?user%5Bpassword%5D=${secret}&pass%77ord=${secret}`],
    [`/measurements?next=%2Fhome%3Fprivate_key%3D${secret}`],
    [`/invoices?token=${secret}#token=${secret}`],
    [`/invoices/password=${secret};jwt=${secret}`],
    [`/reset/${secret}/7`],
    ['/invoices', { headers: { 'X-Api-Key': secret, 'X-Password': secret, 'X-Note': secret } }],
    [
      '/measurements',
      { headers: { Cookie: `a=b; session=${secret}`, Referer: `/?code=${secret}` } },
    ],
    ['/measurements', { headers: { Authorization: `Basic ${secret}` } }],
    [events, json({ refs: ['r'], password: secret, passwords: [secret, { a: secret }] })],
    [events, json({ refs: ['r'], a: [{ b: { client_secret: secret } }], auth: { b: [secret] } })],
    [events, json({ refs: ['r'], fields: [{ name: 'api key', value: secret }] })],
    [
      events,
      json({ refs: ['r'], url: `https://a/?sig=1&token=${secret}`, x: `password: ${secret}` }),
    ],
    [events, json({ refs: { password: secret } })],
    [events, json({ refs: [{ user: { apiKey: secret } }] })],
    [events, json({ refs: { password: secret, padding: 'x'.repeat(20_000) } })],
    [events, text(`{"refs":["r"],"password":"${secret}" 1}`)],
    [events, text(`{"password":"${secret}`)],
    [events, text(`{"password":${secret}}`)],
    [events, text(`{"padding":"${'x'.repeat(20_000)}","password":${secret}}`)],
    ['/login', text(`user[password]=${secret}&user=robin&private_key=${secret}`, form)],
    [
      '/upload',
      text(
        `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${secret}\r\n--b--`,
        'multipart/form-data; boundary=b',
      ),
    ],
    ['/upload', text(`<login><password>${secret}</password></login>`, 'text/xml')],
    ['/session', text('user=robin', form)],
  ];
}

const TOKEN = 'the-bearer/of-this.test';
const OTHER_TOKEN = 'the-bearer-of-another.test';
const LONG = Array.from({ length: 100 }, (_, nth) => `q${nth}z`).join('');

/** Sends the requests to a mock with every output enabled; returns all that it shows of them. */
async function shownOf(requests: readonly Planted[], name: string) {
  const file = join(fixtureFolder, `secrets-${name}.jsonl`);
  const dataset = writeFixture(STUBS, `secrets-${name}.yaml`);
  const coverage = join(fixtureFolder, `secrets-${name}.json`);
  const args = ['--dataset', dataset, '--journal-file', file, '--capture-bodies'];
  args.push('--coverage', coverage);
  const { command, url } = await start(args);
  const authorization = { Authorization: `Bearer ${TOKEN}` };
  await fetch(`${url}/__control/account`, { headers: { Authorization: `Bearer ${OTHER_TOKEN}` } });
  const read = async (path: string) =>
    (await fetch(`${url}/__control/${path}`, { headers: authorization })).text();
  const ending = new AbortController();
  const stream = await fetch(`${url}/__control/requests/stream?of=all&responses=true`, ending);
  let streamed = '';
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of stream.body ?? [])
      streamed += decoder.decode(piece, { stream: true });
  })().catch(() => undefined);
  for (const [path, { type = 'application/json', headers, ...init } = {}] of requests) {
    const sent = { ...authorization, 'Content-Type': type, ...headers };
    await (await fetch(`${url}${path}`, { redirect: 'manual', ...init, headers: sent })).text();
  }
  const linesIn = (shown: string) => shown.split('\n').length - 1;
  // The first line is the header.
  const calls = requests.filter(([path]) => !path.startsWith('/__control/'));
  await until(() => linesIn(readFileSync(file, 'utf8')) === calls.length + 1);
  const server = connectMockServer({ url });
  const { journal } = server.account(TOKEN);
  const ids = (await journal.list()).map(({ id }) => id);
  await until(() => streamed.split('"outcome"').length > calls.length);
  ending.abort();
  await reading;
  const shown = {
    listing: await read('requests'),
    'listing of the server': await read('requests?of=server'),
    archive: await read('requests/har'),
    'list of accounts': await read('accounts'),
    'list of tests': await read('tests?limit=1000'),
    coverage: await read('coverage'),
    'archive of the server': await read('requests/har?of=server'),
    explanations: (await Promise.all(ids.map((id) => read(`requests/${id}/explain`)))).join(''),
    details: (await Promise.all(ids.map((id) => read(`requests/${id}`)))).join(''),
    story: (await describeRequests(journal)) + (await describeRequests(server.journal)),
    stream: streamed,
    'journal file': readFileSync(file, 'utf8'),
  };
  command.kill('SIGTERM');
  await command.ended();
  return { ...shown, log: command.stderr(), 'coverage file': readFileSync(coverage, 'utf8') };
}

/** Where a part of the secret is shown, with the text around it. */
function leaksIn(shown: Readonly<Record<string, string>>, secret: string): string[] {
  const width = Math.min(8, secret.length);
  const parts = Array.from({ length: Math.floor(secret.length / width) }, (_, nth) =>
    secret.slice(nth * width, (nth + 1) * width),
  );
  return Object.entries(shown).flatMap(([output, all]) =>
    parts
      .map((part) => all.indexOf(part))
      .filter((place) => place >= 0)
      .map((place) => `${output}: ${all.slice(Math.max(0, place - 100), place + 40)}`),
  );
}

describe('secrets of requests', () => {
  test.each([
    ['of some length', 'zQ7-hunter-two'],
    ['that is cut where it is quoted', LONG],
    ['that is short', 'zQ7'],
  ])('are in nothing that the mock shows: one %s', async (name, secret) => {
    const shown = await shownOf(requestsWith(secret), name.replaceAll(' ', '-'));
    expect(leaksIn(shown, secret)).toEqual([]);
    expect(leaksIn(shown, TOKEN)).toEqual([]);
    expect(leaksIn(shown, 'fixed-in-stub')).toEqual([]);
    expect(shown.listing).toContain('[redacted]');
  });

  test('are hidden where a response repeats them, and where the token is elsewhere', async () => {
    const secret = 'zQ7-hunter-two';
    const shown = await shownOf(
      [
        ['/echo', json({ password: secret })],
        [`/invoices/${TOKEN}?x=${TOKEN}`],
        ['/events/delete-by-refs', json({ refs: [TOKEN], [TOKEN]: 1 })],
        ['/events/delete-by-refs', json({ refs: TOKEN })],
      ],
      'repeated',
    );
    expect(leaksIn(shown, secret)).toEqual([]);
    expect(leaksIn(shown, TOKEN)).toEqual([]);
  });

  test.each(['TestTable/same#01', 'test_pay[a-b;c]', '"in-quotes"', 'a,list;of,words'])(
    'are tokens of other accounts, whatever characters they have: %s',
    async (other) => {
      const { url } = await start([]);
      await fetch(`${url}/measurements`, { headers: { Authorization: `Bearer ${other}` } });
      const headers = { Authorization: `Bearer ${TOKEN}` };
      const refs = [`a sentence, (${other}).`, other];
      await fetch(`${url}/customers/${encodeURIComponent(other)}`, { headers });
      await fetch(`${url}/events/delete-by-refs`, {
        ...json({ refs }),
        headers: { ...headers, 'Content-Type': 'application/json' },
      });
      const listing = await (await fetch(`${url}/__control/requests`, { headers })).text();
      expect(JSON.parse(listing).requests).toMatchObject([
        { path: expect.stringContaining('/customers/') },
        { body: { refs: ['a sentence, ([redacted]).', '[redacted]'] } },
      ]);
      for (const one of [other, encodeURIComponent(other), JSON.stringify(other).slice(1, -1)]) {
        expect(listing).not.toContain(one);
      }
    },
  );

  test('are numbers, too, but counts of tokens are not', async () => {
    const body = { refs: ['r'], password: 48151623, inputTokens: 108_000 };
    const shown = await shownOf([['/events/delete-by-refs', json(body)]], 'numbers');
    expect(leaksIn(shown, '48151623')).toEqual([]);
    expect(shown.listing).toContain('"inputTokens":108000');
  });

  test('are quoted to their sender alone', async () => {
    const { url } = await start([]);
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const response = await fetch(`${url}/measurements?access_token=zQ7`, { headers });
    expect(await response.text()).toContain('received \\"zQ7\\"');
    const listing = await fetch(`${url}/__control/requests`, { headers });
    const { requests } = (await listing.json()) as { requests: object[] };
    expect(requests).toMatchObject([
      {
        query: 'access_token=[redacted]',
        detail: expect.stringContaining('query /access_token: expected'),
      },
    ]);
    expect(JSON.stringify(requests)).not.toContain('zQ7');
  });
});

const percent = (text: string) =>
  text.replaceAll(/[\s\S]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
const unicode = (text: string) =>
  text.replaceAll(/[\s\S]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
const part = (spell: (text: string) => string) => (text: string) =>
  text.replaceAll(/[-./e]/g, spell);

/** The forms of a token in a URL, and in a JSON body. */
const IN_URL = [
  (text: string) => text,
  encodeURIComponent,
  percent,
  part(percent),
  part((text) => percent(text).toUpperCase()),
  (text: string) => encodeURIComponent(part(percent)(text)),
];
const IN_JSON = [
  (text: string) => text,
  (text: string) => text.replaceAll('/', '\\/'),
  unicode,
  part(unicode),
  part(percent),
];

const FORM = 'application/x-www-form-urlencoded';
const REFS = '/events/delete-by-refs';

/** Secrets by kind; no two are alike. */
const planted = (() => {
  let count = 0;
  const secrets: string[] = [];
  const requests: Planted[] = [];
  const plant = (request: (secret: string) => Planted) => {
    const secret = `zQ${count}hunter${count}two`;
    count += 1;
    secrets.push(secret);
    requests.push(request(secret));
  };
  for (const token of [TOKEN, OTHER_TOKEN]) {
    for (const spell of token === TOKEN ? IN_URL : IN_URL.slice(0, 4)) {
      const written = spell(token);
      requests.push([`/invoices/${written.replaceAll('/', '%2F')}`]);
      requests.push([`/measurements?cursor=${written}`]);
      requests.push(['/login', text(`user=${written}&x=1`, FORM)]);
    }
    for (const spell of IN_JSON) {
      requests.push([
        REFS,
        text(`{"refs":["${spell(token)}"],"${spell(token)}":"of ${spell(token)}!"}`),
      ]);
      requests.push([REFS, text(`{"refs":"${spell(token)}" 1}`)]);
    }
  }
  const jwt = (secret: string) => `eyJhbGciOiJub25lIn0.eyJ${secret}.c2${secret}`;
  // The values of fields with secret names.
  plant((s) => [REFS, text(`{"refs":["r"],"password":"${s}","password":null}`)]);
  plant((s) => [REFS, text(`{"refs":["r"],"pass\\u0077ord":"${s}","password":null}`)]);
  plant((s) => ['/login', text(`a=1;password=${s}&x=1`, FORM)]);
  plant((s) => [`/measurements?a=1;password=${s}`]);
  plant((s) => ['/measurements', { headers: { 'User-Agent': `x (api_key=${s})` } }]);
  // The whole text if it names a secret.
  plant((s) => [REFS, json({ refs: ['r'], note: `password=hunter2;${s}` })]);
  plant((s) => [REFS, json({ refs: ['r'], note: `https://a/?token=hunter2&x=1;${s}` })]);
  plant((s) => [`/invoices/password=hunter2;${s}`]);
  plant((s) => [`/invoices/password=hunter2/${s}`]);
  plant((s) => [`/measurements?cursor=password%3Dhunter2%26${s}`]);
  plant((s) => ['/upload', text(`password=hunter2&${s}`, 'text/plain')]);
  plant((s) => ['/upload', text(`Cookie: a=b; c=${s}`, 'text/plain')]);
  plant((s) => [REFS, text(`{"note":"${s}","password":"x" 1}`)]);
  // Anything that looks like a credential.
  for (const write of [
    jwt,
    (s: string) => jwt(s).replaceAll('.', '%2E'),
    (s: string) => jwt(s).replaceAll('.', '%252e'),
  ]) {
    plant((s) => [`/invoices/${write(s)}`]);
    plant((s) => [`/measurements?cursor=${write(s)}`]);
    plant((s) => [REFS, json({ refs: ['r'], note: `see ${write(s)} there` })]);
  }
  for (const write of [
    (s: string) => `Bearer ${s}`,
    (s: string) => `bearer  ${s}==`,
    (s: string) => `Basic ${btoa(`robin:${s}`)}`,
    (s: string) => `https://robin:${s}@billing.example/x`,
    (s: string) => `//${s}@billing.example/x`,
  ]) {
    plant((s) => [`/customers/name/${encodeURIComponent(`say ${write(s)}`)}`]);
    plant((s) => [REFS, json({ refs: [`say ${write(s)} now`] })]);
    plant((s) => ['/measurements', { headers: { 'User-Agent': write(s) } }]);
    plant((s) => [
      '/__control/account/test',
      {
        method: 'PUT',
        body: JSON.stringify({
          outcome: 'failed',
          ...{ message: `got ${write(s)}`, title: `sends ${write(s)}`, file: write(s) },
        }),
      },
    ]);
  }
  // Changes by the control plane, as they are logged.
  const stub = (headers: object) => ({ method: 'GET', path: '/stubbed', headers });
  plant((s) => ['/__control/stubs', json(stub({ 'X-Api-Key': s, Location: `/?token=${s}` }))]);
  plant((s) => ['/__control/stubs', json({ ...stub({}), body: `password=hunter2;${s}` })]);
  plant((s) => ['/__control/customers', json({ name: `Bearer ${s}` })]);
  plant((s) => [`/__control/customers?access_token=${s}`]);
  requests.push(['/moved', json({})]);
  requests.push(['/__control/customers', text(`{"name":"${part(unicode)(TOKEN)}"}`)]);
  requests.push(['/__control/customers', json({ name: OTHER_TOKEN, notes: OTHER_TOKEN })]);
  return { requests, secrets: [TOKEN, OTHER_TOKEN, 'robin:', 'fixed-in-stub', ...secrets] };
})();

/** A text with its escapes decoded, as somebody who looks for secrets would read it. */
function read(text: string): string {
  const once = (before: string) =>
    before
      .replaceAll(/(?:%25)*%([\da-f]{2})|\\+u([\da-f]{4})/gi, (_all, byte, unit) =>
        String.fromCharCode(Number.parseInt(byte ?? unit, 16)),
      )
      .replaceAll('\\/', '/');
  return once(once(text));
}

test('a secret is in no output, wherever it was and however it was spelled', async () => {
  const shown = await shownOf(planted.requests, 'planted');
  expect(planted.requests.length).toBeGreaterThan(50);
  const wrong = Object.entries(shown).flatMap(([output, all]) => {
    const plain = [
      all,
      read(all),
      ...(all.match(/[\w+/]{12,}={0,2}/g) ?? []).map((word) =>
        Buffer.from(word, 'base64').toString('latin1'),
      ),
    ].join('\n');
    return planted.secrets
      .filter((secret) => plain.toLowerCase().includes(secret.toLowerCase()))
      .map(
        (secret) =>
          `${output}: ${secret} in …${plain.slice(Math.max(0, plain.toLowerCase().indexOf(secret.toLowerCase()) - 150)).slice(0, 200)}`,
      );
  });
  expect(wrong).toEqual([]);
});

test('what is no secret stays readable in the journal', async () => {
  const body = {
    refs: ['acme-2026-03-31-001', 'input-tokens:2026-03', 'monkey=3'],
    author: 'The Secretary of Passau, a keyboard and a compass',
    authority: { key: 'public', tokens: 1200, isSecret: false },
    cursor: 'eyJhIjoxfQ',
  };
  const { url } = await start([]);
  const headers = { Authorization: `Bearer ${TOKEN}`, 'X-Request-Id': 'r-7' };
  const target = '/customers/name/Token%20Ring%20Ltd';
  await fetch(`${url}${target}`, { headers });
  await fetch(`${url}/events/delete-by-refs`, {
    ...json(body),
    headers: { ...headers, 'Content-Type': 'application/json' },
  });
  const listing = await fetch(`${url}/__control/requests`, { headers });
  expect(await listing.json()).toMatchObject({
    requests: [
      {
        path: target,
        parameters: { name: 'Token Ring Ltd' },
        headers: { 'x-request-id': 'r-7', 'user-agent': expect.any(String) },
        detail: expect.stringContaining('Token Ring Ltd'),
      },
      { body, status: 200 },
    ],
  });
});
