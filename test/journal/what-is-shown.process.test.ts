import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeJournal } from '../../src/kits/account-of-test/describe-requests.js';
import { connectMockServer } from '../../src/mock/client/connect-mock-server.js';
import { useCommands } from '../support/command.js';
import { until } from '../support/fetching.js';
import { fixtureFolder, writeFixture } from '../support/fixture.js';

const start = useCommands('--log-level', 'trace', '--log-format', 'json');

const STUBS = `extends: default
accounts: { the-bearer-of-another.test: { dataset: empty } }
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

const TOKEN = 'the-bearer/of-this.test';
const OTHER_TOKEN = 'the-bearer-of-another.test';

/** Sends the requests to a mock with every output enabled; returns what leaves it, by output. */
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
    'archive of the server': await read('requests/har?of=server'),
    'list of accounts': await read('accounts'),
    'list of tests': await read('tests?limit=1000'),
    explanations: (await Promise.all(ids.map((id) => read(`requests/${id}/explain`)))).join(''),
    details: (await Promise.all(ids.map((id) => read(`requests/${id}`)))).join(''),
    stream: streamed,
    coverage: await read('coverage'),
    story: (await describeJournal(journal)) + (await describeJournal(server.journal)),
    'journal file': readFileSync(file, 'utf8'),
  };
  command.kill('SIGTERM');
  await command.ended();
  return { ...shown, log: command.stderr(), 'coverage file': readFileSync(coverage, 'utf8') };
}

describe('what one debugs with', () => {
  test('is in log, journal file, archive, stream and story: values that nothing documents', async () => {
    const requests: Planted[] = [
      ['/measurements?custmer=acme-corp&limit=2', { headers: { 'X-Tenant': 'tenant-7' } }],
      [REFS, json({ refs: 'acme-1', note: { of: ['Jane Roe'] } })],
      [REFS, text('{"refs":["r"],"colour":"teal" 1}')],
      ['/nothing/here?page=nine', { headers: { 'X-Tenant': 'tenant-7' } }],
      ['/login', text('user=robin&shoe=size-44', FORM)],
    ];
    const shown = await shownOf(requests, 'debugged');
    const words = ['custmer=acme-corp', 'tenant-7', 'Jane Roe', 'teal', 'page=nine', 'size-44'];
    for (const word of words) {
      expect([word, shown.story]).toEqual([word, expect.stringContaining(word)]);
      expect([word, shown.log]).toEqual([word, expect.stringContaining(word)]);
      expect([word, shown['journal file']]).toEqual([word, expect.stringContaining(word)]);
      const archives = shown.archive + shown['archive of the server'];
      expect([word, archives]).toEqual([word, expect.stringContaining(word)]);
      expect([word, shown.stream]).toEqual([word, expect.stringContaining(word)]);
    }
    expect(shown.story).toContain('with x-tenant: tenant-7');
    expect(shown.story).toContain('query /custmer: unknown parameter');
    expect(shown.story).toContain('sent {"refs":"acme-1","note":{"of":["Jane Roe"]}}');
    expect(shown.log).toContain('The body is not JSON: ');
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
];
const IN_JSON = [
  (text: string) => text,
  (text: string) => text.replaceAll('/', '\\/'),
  unicode,
  part(unicode),
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
    }
    requests.push([REFS, text(`{"refs":"${token}" 1}`)]);
  }
  const jwt = (secret: string) => `eyJhbGciOiJub25lIn0.eyJ${secret}.c2${secret}`;
  plant((s) => ['/measurements', { headers: { Cookie: `a=b; session=${s}` } }]);
  plant((s) => ['/measurements', { headers: { 'Proxy-Authorization': `Basic ${s}` } }]);
  plant((s) => ['/measurements', { headers: { Authorization: s, 'User-Agent': `of ${s}` } }]);
  for (const write of [jwt, (s: string) => jwt(s).replaceAll('.', '%2E')]) {
    plant((s) => [`/invoices/${write(s)}`]);
    plant((s) => [`/measurements?cursor=${write(s)}`]);
  }
  plant((s) => [REFS, json({ refs: ['r'], note: `see ${jwt(s)} there` })]);
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
  for (const name of ['password', 'client_secret', 'access_token', 'api-key', 'user[passwd]']) {
    const inUrl = encodeURIComponent(name);
    for (const write of [(s: string) => s, percent, (s: string) => `${s}%20and%2Bmore`]) {
      plant((s) => [`/measurements?limit=2&${inUrl}=${write(s)}`]);
      plant((s) => [`/nothing?${percent(name)}=${write(s)}`]);
      plant((s) => ['/login', text(`user=robin&${inUrl}=${write(s)}`, FORM)]);
    }
    for (const value of [(s: string) => s, (s: string) => [s], (s: string) => ({ of: { it: s } })])
      plant((s) => [REFS, json({ refs: ['r'], [name]: value(s) })]);
    plant((s) => [REFS, json({ refs: ['r'], deep: [{ [name]: `${'x'.repeat(190)}${s}` }] })]);
    plant((s) => [REFS, json({ refs: { [name]: s } })]);
    plant((s) => [REFS, json({ refs: { [name]: s, padding: 'x'.repeat(20_000) } })]);
    plant((s) => [REFS, text(`{"refs":["r"],"${name}":"${s}" 1}`)]);
    plant((s) => ['/__control/customers', json({ name: { [name]: s } })]);
    if (/^[\w-]+$/.test(name)) {
      plant((s) => ['/measurements', { headers: { [`X-${name}`]: s } }]);
    }
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
  const shown = await shownOf(planted.requests, 'planted');
  expect(planted.requests.length).toBeGreaterThan(120);
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
