import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeJournal } from '../../src/kits/account-of-test/describe-requests.js';
import { connectMockServer } from '../../src/mock/client/connect-mock-server.js';
import { useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { fixtureFolder, writeFixture } from '../support/fixture.js';

const start = useCommands('--log-level', 'trace', '--log-format', 'json');

const STUBS = `extends: default
stubs:
  - { method: POST, path: /login, body: { user: "{{body.user}}" } }
  - { method: POST, path: /upload, status: 204 }
  - { method: POST, path: /moved, status: 302, headers: { Location: "//robin:fixed-in-stub@x/" } }
`;

type Planted = readonly [path: string, init?: RequestInit & { readonly type?: string }];

const json = (body: object) => ({ method: 'POST', body: JSON.stringify(body) });
const text = (body: string, type = 'application/json') => ({ method: 'POST', body, type });

const FORM = 'application/x-www-form-urlencoded';
const REFS = '/events/delete-by-refs';

/** Requests with a value in every place that nothing documents. */
function requestsWith(value: string): readonly Planted[] {
  return [
    [`/measurements?access_token=${value}&note=${value}&limit=2`],
    [`/measurements?password=${value}?Tail&limit=0`],
    [`/measurements?user%5Bpassword%5D=${value}&pass%77ord=${value}`],
    [`/invoices?token=${value}#token=${value}`],
    ['/invoices', { headers: { 'X-Api-Key': value, 'X-Note': value, Referer: `/?a=${value}` } }],
    [REFS, json({ refs: ['r'], password: value, others: [value, { a: value }] })],
    [REFS, json({ refs: ['r'], fields: [{ name: 'label', key: 'password', value }] })],
    [REFS, json({ refs: { password: value } })],
    [REFS, json({ refs: [{ user: { name: value } }] })],
    [REFS, json({ refs: { password: value, padding: 'x'.repeat(20_000) } })],
    [REFS, json([value])],
    [REFS, text(`{"refs":["r"],"note":"${value}" 1}`)],
    [REFS, text(`{"note":${value}}`)],
    [REFS, text(`a=${value}`, 'text/plain')],
    ['/login', text(`note=${value}&user=robin`, FORM)],
    ['/login', text(`note=${value}`, FORM)],
    ['/login', json({ user: { name: value } })],
    ['/upload', text(`--b\r\n\r\n${value}\r\n--b--`, 'multipart/form-data; boundary=b')],
    ['/upload', text(`<login><name>${value}</name></login>`, 'text/xml')],
    ['/__control/faults', json({ kind: 'reset', note: value })],
    ['/__control/customers', json({ name: 'a', note: value })],
    ['/__control/customers', json({ name: { note: value } })],
    [`/__control/customers?note=${value}`],
    [`/__control/fixture?key=${value}`],
  ];
}

const TOKEN = 'the-bearer/of-this.test';
const OTHER_TOKEN = 'the-bearer-of-another.test';
const LONG = Array.from({ length: 100 }, (_, nth) => `q${nth}z`).join('');

/**
 * Sends the requests to a mock with every output enabled; returns what it shows of them to somebody
 * who asks, and what it writes of itself.
 */
async function shownOf(requests: readonly Planted[], name: string, ...flags: string[]) {
  const file = join(fixtureFolder, `secrets-${name}.jsonl`);
  const dataset = writeFixture(STUBS, `secrets-${name}.yaml`);
  const coverage = join(fixtureFolder, `secrets-${name}.json`);
  const args = ['--dataset', dataset, '--journal-file', file, '--capture-bodies'];
  args.push('--coverage', coverage, ...flags);
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
  const asked = {
    listing: await read('requests'),
    'listing of the server': await read('requests?of=server'),
    archive: await read('requests/har'),
    'archive of the server': await read('requests/har?of=server'),
    'list of accounts': await read('accounts'),
    'list of tests': await read('tests?limit=1000'),
    explanations: (await Promise.all(ids.map((id) => read(`requests/${id}/explain`)))).join(''),
    details: (await Promise.all(ids.map((id) => read(`requests/${id}`)))).join(''),
    stream: streamed,
  };
  const own = {
    coverage: await read('coverage'),
    story: (await describeJournal(journal)) + (await describeJournal(server.journal)),
    'archive of a report': await read('requests/har?values=documented'),
    'archive of the server in a report': await read('requests/har?of=server&values=documented'),
    'journal file': readFileSync(file, 'utf8'),
  };
  command.kill('SIGTERM');
  await command.ended();
  const files = { log: command.stderr(), 'coverage file': readFileSync(coverage, 'utf8') };
  return { asked, own: { ...own, ...files }, all: { ...asked, ...own, ...files } };
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

describe('values that nothing documents', () => {
  test.each([
    ['of some length', 'zQ7-hunter-two'],
    ['that is cut where it is quoted', LONG],
    ['that is a number', '481516234248'],
  ])('are in nothing that the mock writes of itself: one %s', async (name, value) => {
    const { asked, own } = await shownOf(requestsWith(value), name.replaceAll(' ', '-'));
    expect(leaksIn(own, value)).toEqual([]);
    for (const output of [own.story, own.log, own['journal file'], own['archive of a report']])
      expect(output).toContain('[not shown]');
    for (const output of [asked.listing, asked.archive, asked.stream]) {
      expect(output).toContain(value);
      expect(output).not.toContain('[not shown]');
    }
    expect(own.story.match(/--show-values/g)).toHaveLength(2);
    expect(own.log).toContain('The body is not JSON. Expected');
  });

  test('are shown with --show-values, but no credential is', async () => {
    const value = 'zQ7-hunter-two';
    const { own, all } = await shownOf(requestsWith(value), 'shown', '--show-values');
    for (const output of [own.story, own.log, own['journal file'], own['archive of a report']])
      expect(output).toContain(value);
    expect(own.story).not.toContain('--show-values');
    expect(own.log).toContain('The body is not JSON: ');
    expect(leaksIn(all, TOKEN)).toEqual([]);
  });
});

describe('what one debugs with is in a story:', () => {
  let walks = 0;
  const storyOf = async (request: Planted) => {
    walks += 1;
    return (await shownOf([request], `walk-${walks}`)).own.story;
  };

  test('the name of an unknown query parameter', async () => {
    const story = await storyOf(['/measurements?customer=acme&limit=2']);
    expect(story).toContain('GET /measurements?customer=[not shown]&limit=2 -> 400');
    expect(story).toContain('query /customer: expected limit or cursor, received [not shown]');
  });

  test('the refs, whole, with a wrong member beside them', async () => {
    const story = await storyOf([REFS, json({ refs: ['acme-2026-03-31-001', 'b'], ref: 'x' })]);
    expect(story).toContain('sent {"refs":["acme-2026-03-31-001","b"],"ref":"[not shown]"}');
  });

  test('a wrong value of a documented member', async () => {
    const story = await storyOf([REFS, json({ refs: 'acme-1' })]);
    expect(story).toContain('body /refs: expected an array, received "acme-1"');
  });

  test('the Content-Type of a 415, and the length of the body', async () => {
    const { own } = await shownOf([[REFS, text('refs=a', 'text/plain')]], '415');
    expect(own.story).toContain("The body was sent as 'text/plain'; expected 'application/json'");
    const entry = JSON.parse(own['archive of a report']).log.entries[0];
    expect(entry.request.headers).toContainEqual({ name: 'content-length', value: '6' });
  });

  test.each([
    ['JSON', json({ user: 'robin', password: 'x' }), '{"user":"robin","password":"[not shown]"}'],
    ['a form', text('user=robin&password=x', FORM), '"user=robin&password=[not shown]"'],
  ])('the members that a stub names, of %s', async (_, init, sent) => {
    expect(await storyOf(['/login', init])).toContain(`sent ${sent}`);
  });

  test('paths, statuses, decisions and documented values', async () => {
    const contract = '/contracts/65b000000000000000000001';
    const requests = [
      [contract, { method: 'DELETE' }],
      [contract, { method: 'DELETE' }],
    ] as const;
    const { story } = (await shownOf(requests, 'deleted')).own;
    expect(story).toContain(`2. DELETE ${contract} -> 404 by repeat-delete=not-found`);
    expect(story).toContain(`1. DELETE ${contract} -> 200`);
    expect(story).not.toContain('[not shown]');
  });
});

describe('credentials', () => {
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

/** Credentials by kind; no two are alike. */
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
  plant((s) => ['/measurements', { headers: { Cookie: `a=b; session=${s}` } }]);
  plant((s) => [`/measurements?limit=${s}`, { headers: { Cookie: `a=${s}` } }]);
  plant((s) => ['/measurements', { headers: { 'Proxy-Authorization': `Basic ${s}` } }]);
  plant((s) => ['/measurements', { headers: { Authorization: s, 'User-Agent': `of ${s}` } }]);
  plant((s) => ['/measurements', { headers: { 'X-Forwarded-Host': `robin:${s}@a.example` } }]);
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
  const stub = (headers: object) => ({ method: 'GET', path: '/stubbed', headers });
  plant((s) => ['/__control/stubs', json(stub({ Location: `//robin:${s}@x/` }))]);
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

test('a credential is in no output, wherever it was and however it was spelled', async () => {
  const { all: shown } = await shownOf(planted.requests, 'planted');
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
