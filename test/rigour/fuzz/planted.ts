import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { startCommand } from '../server/start-command.js';
import { demand } from './check-response.js';
import { kind } from './kind.js';

const datasetOf = (declared: string) => `extends: default
accounts:
  ${quoted(declared)}: { dataset: empty }
stubs:
  - { method: POST, path: /login, body: { user: "{{body.user}}", access_token: "{{body.user}}" } }
  - { method: GET, path: "/invoices/{id}", body: { page: "{{query.page}}" } }
`;
const REFS = '/events/delete-by-refs';
const FORM = 'application/x-www-form-urlencoded';

/** The credentials of a case; no word of a response has one in it. */
interface Credentials {
  /** Of the account, of a declared account and of the control plane. */
  readonly own: string;
  readonly other: string;
  readonly control: string;
  /** The value of a variable named `…_API_KEY`. */
  readonly variable: string;
}

interface Plant {
  readonly path: string;
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Write = (secret: string) => string;

const inUrl = encodeURIComponent;
const quoted = (value: string) => JSON.stringify(value);
const spelled = (text: string, spell: (code: number) => string) =>
  text.replaceAll(/[\s\S]/g, (one) => spell(one.charCodeAt(0)));
const percent: Write = (text) => spelled(text, (code) => `%${code.toString(16)}`);
const unicode: Write = (text) =>
  spelled(text, (code) => `\\u${code.toString(16).padStart(4, '0')}`);
const json = (path: string, body: string): Plant => ({ path, method: 'POST', body });
const form = (body: string): Plant => ({ ...json('/login', body), type: FORM });
const withField = (name: string, value: string): Plant => ({
  path: '/measurements?limit=x',
  headers: { [name]: value },
});

/** Places for a credential that is known: a token, as a word or a part of one. */
const OF_TOKENS: readonly Write[] = [
  (one) => one,
  (one) => `see ${one}, please`,
  (one) => `(${one}).`,
];
const OF_OWN_TOKENS: readonly Write[] = [...OF_TOKENS, (one) => `"${one}",`, (one) => `%22${one}`];

function placesOfText(text: string): Plant[] {
  return [
    ...[inUrl(text)].flatMap((written): Plant[] => [
      { path: `/customers/name/${written}` },
      { path: `/measurements?cursor=${written}` },
      { path: `/measurements?limit=${written}` },
      { path: `/measurements?${written}=1` },
      { path: `/contracts/${written}`, method: 'DELETE' },
      { path: `/nothing/${written}?a=${written}` },
      { path: `/invoices/7?page=${written}` },
      form(`user=${written}&x=1`),
    ]),
    json(REFS, `{"refs":[${quoted(text)}] 1}`),
    ...[quoted(text), `"${unicode(text)}"`, quoted(text).replaceAll('/', '\\/')].flatMap(
      (written): Plant[] => [
        json(REFS, `{"refs":[${written}]}`),
        json(REFS, `{"refs":${written}}`),
        json(REFS, `{"refs":["r"],${written}:[{"a":${written}}]}`),
        json('/login', `{"user":${written}}`),
        json('/__control/customers', `{"name":{"a":${written}}}`),
      ],
    ),
    { ...json(REFS, text), type: 'text/plain' },
    withField('X-Made-Up', inUrl(text)),
    withField('Referer', `/?a=${inUrl(text)}`),
  ];
}

/** Places for a value that is a credential by its name. */
function placesOfName(name: string, secret: string): Plant[] {
  return [
    ...[inUrl(name), percent(name)].flatMap((written): Plant[] => [
      { path: `/measurements?limit=2&${written}=${inUrl(secret)}` },
      { path: `/measurements?${written}=${percent(secret)}` },
      { path: `/nothing?${written}=${inUrl(secret)}&b=1` },
      form(`user=robin&${written}=${inUrl(secret)}`),
    ]),
    json(REFS, `{"refs":["r"],${quoted(name)}:"${unicode(secret)}" 1}`),
    ...[quoted(name), `"${unicode(name)}"`].flatMap((written): Plant[] => [
      json(REFS, `{"refs":["r"],${written}:${quoted(secret)}}`),
      json(REFS, `{"refs":["r"],"a":[{${written}:[${quoted(secret)}]}]}`),
      json(REFS, `{"refs":{${written}:${quoted(secret)}}}`),
      json('/login', `{"user":{${written}:${quoted(secret)}}}`),
      json('/__control/customers', `{"name":{${written}:${quoted(secret)}}}`),
    ]),
    withField(`X-${name.replaceAll(/\W/g, '-')}`, secret),
  ];
}

const NAMES = [
  'password',
  'client_secret',
  'access_token',
  'api-key',
  'user[passwd]',
  'privateKey',
];
const OUTCOME = { outcome: 'failed', title: 'plants' };

/** All places of a case; each secret by name, and each form, is another one. */
function plantsOf({ own, other, control }: Credentials, secretOf: () => string) {
  const jwt = (secret: string) => `eyJhbGciOiJub25lIn0.eyJ${secret}.c2${secret}`;
  const urls: Write[] = [(one) => `https://robin:${one}@a.example/x`, (one) => `see //${one}@a/x`];
  return [
    ...[own, control].flatMap((token) =>
      OF_OWN_TOKENS.map((write) => write(token)).flatMap(placesOfText),
    ),
    ...OF_TOKENS.map((write) => write(other)).flatMap(placesOfText),
    ...NAMES.flatMap((name) => placesOfName(name, secretOf())),
    ...[jwt, ...urls].flatMap((write) => placesOfText(write(secretOf()))),
    withField('Proxy-Authorization', `Basic ${secretOf()}`),
    withField('Cookie', `a=b; session=${secretOf()}`),
    withField('X-Control-Token', secretOf()),
    ...[own, other, control, jwt(secretOf()), urls[0]?.(secretOf()) ?? ''].map(
      (text): Plant => ({
        ...{ path: '/__control/account/test', method: 'PUT' },
        body: JSON.stringify({ ...OUTCOME, message: `got ${text}`, file: `of ${text}` }),
      }),
    ),
  ];
}

/** The places are as many, whatever the credentials. */
const ANY = { own: 'own', other: 'other', control: 'control', variable: 'variable' };
const LAST_PLACE = plantsOf(ANY, () => 'any').length - 1;

const plain = fc.stringMatching(/^zQ[a-z0-9]{12}Qz$/);
const PLANS = fc.record({
  own: fc
    .tuple(plain, fc.constantFrom('', '/of.it', '~"[a;b]', '+x=='))
    .map((parts) => parts.join('')),
  other: fc
    .tuple(plain, fc.constantFrom('', '/of.it', '[a;b]', '#01'))
    .map((parts) => parts.join('')),
  control: plain,
  variable: plain,
  /** What the other credentials are made of. */
  seed: fc.stringMatching(/^[a-z0-9]{10}$/),
  /** Which of all places. */
  chosen: fc.uniqueArray(fc.nat(LAST_PLACE), { minLength: 100, maxLength: 120 }),
});

/** A text with its escapes undone, and what is base64 in it decoded. */
function readings(text: string): string {
  const plainOf = (from: string) =>
    from
      .replaceAll(/(?:%25)*%([\da-f]{2})|\\+u([\da-f]{4})/gi, (_all, byte, unit) =>
        String.fromCharCode(Number.parseInt(byte ?? unit, 16)),
      )
      .replaceAll(/\\+(["/])/g, '$1');
  const words = text.match(/[\w+/]{16,}={0,2}/g) ?? [];
  const decoded = words.map((word) => Buffer.from(word, 'base64').toString('latin1'));
  return [text, plainOf(plainOf(text)), ...decoded].join('\n');
}

/** Sends the plants to the mock in its environment, tells of a failed test, prints and fails. */
const SENDER = `
import { readFileSync } from 'node:fs';
const { USAGE_BILLING_MOCK_URL: url, PLANTED_API_KEY, OWN, OTHER, CONTROL } = process.env;
const headers = { Authorization: 'Bearer ' + OWN, 'Content-Type': 'application/json', 'X-Control-Token': CONTROL };
await fetch(url + '/measurements', { headers: { Authorization: 'Bearer ' + OTHER } });
const { total } = await (await fetch(url + '/measurements?planted=' + PLANTED_API_KEY, { headers })
  .then(() => fetch(url + '/measurements?limit=1', { headers }))).json();
for (const { path, type, ...init } of JSON.parse(readFileSync(process.argv[2], 'utf8')))
  await fetch(url + path, { ...init, headers: { ...headers, ...(type && { 'Content-Type': type }), ...init.headers } });
const marked = { method: 'PUT', headers, body: '{"outcome":"failed","title":"plants"}' };
await fetch(url + '/__control/account/test', marked);
if (!process.env.FAILS) console.log('connects with', PLANTED_API_KEY, 'to https://robin:' + PLANTED_API_KEY + '@a.example');
process.exit(process.env.FAILS || total < 100 ? 1 : 0);
`;

/** What a command prints and writes into these files. */
async function outputOf(args: readonly string[], env: object, files: readonly string[] = []) {
  const options = { env: { PATH: process.env.PATH, ...env } };
  const child = spawn(process.execPath, ['dist/cli.cjs', ...args], options);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  await once(child, 'close');
  const written = files.filter((file) => existsSync(file));
  return [output, ...written.map((file) => readFileSync(file, 'utf8'))].join('\n');
}

/** What the report of every recording quotes. */
const OF_RECORDING = (own: string): Plant => ({ path: `/measurements?limit=${inUrl(own)}` });

const pairsOf = (fields: object) =>
  Object.entries(fields).map(([name, value]) => ({ name, value: String(value) }));

/** Credentials are in nothing that leaves the mock, wherever they were and however spelled. */
export const planted = kind(2, PLANS, async (_target, { seed, chosen, ...credentials }) => {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'));
  const file = (name: string) => join(folder, name);
  writeFileSync(file('dataset.yaml'), datasetOf(credentials.other));
  writeFileSync(file('send.mjs'), SENDER);
  const secrets: string[] = Object.values(credentials);
  const places = plantsOf(credentials, () => {
    secrets.push(`zQ${seed}${secrets.length}Qz`);
    return secrets.at(-1) as string;
  });
  const plants = chosen.map((nth) => places[nth] as Plant);
  writeFileSync(file('plants.json'), JSON.stringify(plants));
  const { own, other, control, variable } = credentials;
  const dataset = ['--dataset', file('dataset.yaml')];
  const written = ['--journal-file', file('journal.jsonl'), '--capture-bodies'];
  const args = [...dataset, ...written, '--control-token', control, '--log-level', 'trace'];
  const command = await startCommand(args);
  const recorded: object[] = [];
  const call = async ({ path, type = 'application/json', headers, ...init }: Plant) => {
    const access = path.startsWith('/__control') && { 'X-Control-Token': control };
    const sent = { Authorization: `Bearer ${own}`, 'Content-Type': type, ...access, ...headers };
    const response = await fetch(`${command.url}${path}`, { ...init, headers: sent });
    const text = await response.text();
    const request = { method: 'GET', url: response.url, headers: pairsOf(sent), ...init };
    const postData = init.body && { postData: { mimeType: type, text: init.body } };
    recorded.push({
      startedDateTime: new Date().toISOString(),
      request: { ...request, ...postData },
      response: {
        ...{ status: response.status, headers: pairsOf(Object.fromEntries(response.headers)) },
        content: { text },
      },
    });
    return text;
  };
  try {
    const readOne = (path: string) => call({ path: `/__control/${path}` });
    await call({ path: '/measurements', headers: { Authorization: `Bearer ${other}` } });
    const ending = new AbortController();
    const streaming = { signal: ending.signal, headers: { 'X-Control-Token': control } };
    const stream = '/__control/requests/stream?of=all&responses=true';
    const streamed = fetch(`${command.url}${stream}`, streaming).then(async ({ body }) => {
      const decoder = new TextDecoder();
      let text = '';
      try {
        for await (const piece of body ?? []) text += decoder.decode(piece, { stream: true });
      } catch {
        // It was ended here.
      }
      return text;
    });
    for (const plant of [OF_RECORDING(own), ...plants]) await call(plant);
    writeFileSync(file('course.har'), JSON.stringify({ log: { entries: recorded } }));
    const { requests } = JSON.parse(await readOne('requests')) as { requests: { id: number }[] };
    const read = async (...paths: string[]) => {
      const texts: string[] = [];
      for (const path of paths) texts.push(await readOne(path));
      return texts.join('\n');
    };
    const details = requests.flatMap(({ id }) =>
      ['', '/explain', '/har'].map((end) => `requests/${id}${end}`),
    );
    const archive = await read('requests/har', 'requests/har?of=server');
    const lists = ['requests', 'requests?of=server', 'accounts', 'coverage'];
    const page = await read(...lists, ...details);
    ending.abort();
    const ofStream = await streamed;
    const settled = [file('settled.yaml'), file('settled.json'), file('settled.xml')] as const;
    const [out, ...ofSettle] = settled;
    const toSettled = ['--out', out, '--report', ofSettle[0], '--junit', ofSettle[1]];
    const settle = (seen: string[]) =>
      outputOf(['settle', ...seen, ...toSettled], { USAGE_BILLING_TOKEN: own }, settled);
    const asking = ['--target', command.url, '--rate', '1000', '--max-requests', '40'];
    const asked = await settle([...asking, '--customer', own]);
    await command.stop();
    const env = { PLANTED_API_KEY: variable, OWN: own, OTHER: other, CONTROL: control };
    const sender = ['--', process.execPath, file('send.mjs'), file('plants.json')];
    const reports = [file('report.json'), file('report.xml')] as const;
    const toFiles = ['--report', reports[0], '--junit', reports[1], '--no-canary'];
    const matrix = ['matrix', ...dataset, '--only', 'total-counts=page', ...toFiles, ...sender];
    const shown: Record<string, string> = {
      log: command.log(),
      'journal file': readFileSync(file('journal.jsonl'), 'utf8'),
      stream: ofStream,
      archive,
      page,
      stories: await outputOf(['exec', ...dataset, '--control-token', control, ...sender], {
        ...env,
        FAILS: 'yes',
      }),
      reports: await outputOf(matrix, env, reports),
      'report of a service': asked,
      'report of a recording': await settle(['--har', file('course.har')]),
    };
    // What hides something else knows no tokens of this mock.
    const unknown: Readonly<Record<string, readonly string[]>> = {
      reports: [control],
      'report of a service': [control, other],
      'report of a recording': [control, other],
    };
    for (const [artefact, text] of Object.entries(shown)) {
      const all = readings(text);
      const hasMark = all.includes('[redacted]') || artefact === 'report of a service';
      demand(hasMark, `a mark in the ${artefact}`, all.slice(0, 500));
      for (const secret of secrets.filter((one) => !unknown[artefact]?.includes(one))) {
        const at = all.indexOf(secret);
        demand(
          at < 0,
          `no ${secret} in the ${artefact}`,
          all.slice(Math.max(0, at - 300), at + 50),
        );
      }
    }
  } finally {
    await command.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
