import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { startCommand } from '../server/start-command.js';
import { demand } from './check-response.js';
import { kind } from './kind.js';

const DATASET = `stubs:
  - { method: POST, path: /login, body: { user: "{{body.user}}" } }
  - { method: GET, path: "/invoices/{id}", body: { page: "{{query.page}}" } }
`;
const TOKEN = 'token-of-the-plants';
const REFS = '/events/delete-by-refs';

/** A value in a place that nothing documents. */
interface Plant {
  readonly path: string;
  readonly method?: 'POST' | 'PUT';
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = (path: string, body: string): Plant => ({ path, method: 'POST', body });
const text = (path: string, type: string, body: string): Plant => ({ ...json(path, body), type });
const FORM = 'application/x-www-form-urlencoded';

/** The places by what they make of a name and a written value. */
const PLACES: readonly ((name: string, value: string) => Plant)[] = [
  (name, value) => ({ path: `/measurements?${inUrl(name)}=${inUrl(value)}` }),
  (name, value) => ({
    path: `/measurements?limit=2&${inUrl(name)}=a&${inUrl(name)}=${inUrl(value)}`,
  }),
  (name, value) => ({ path: `/customers/c1?${inUrl(name)}=${inUrl(value)}?Tail#Tail` }),
  (name, value) => ({ path: `/nothing/here?a=1;${inUrl(name)}=${inUrl(value)}` }),
  (name, value) => ({ path: `/invoices/7?page=1&${inUrl(name)}=${inUrl(value)}` }),
  (_, value) => ({ path: '/measurements', headers: { 'X-Made-Up': inUrl(value) } }),
  (_, value) => ({ path: '/nothing', headers: { Cookie: `made=${inUrl(value)}` } }),
  (name, value) => json(REFS, `{"refs":["r"],${quoted(name)}:${quoted(value)}}`),
  (name, value) => json(REFS, `{"refs":["r"],"a":[{${quoted(name)}:[${quoted(value)}]}]}`),
  (name, value) => json(REFS, `{"refs":[{${quoted(name)}:${quoted(value)}}]}`),
  (name, value) => json(REFS, `{"refs":{${quoted(name)}:${quoted(value)}}}`),
  (name, value) => json(REFS, `{"refs":["r"],${quoted(name)}:${quoted(value)} 1}`),
  (_, value) => json(REFS, `[${quoted(value)}]`),
  (_, value) => json(REFS, quoted(value)),
  (name, value) => json('/login', `{"user":"robin",${quoted(name)}:${quoted(value)}}`),
  (name, value) => json('/login', `{"user":{${quoted(name)}:${quoted(value)}}}`),
  (name, value) => text('/login', FORM, `user=robin&${inUrl(name)}=${inUrl(value)}`),
  (name, value) => text('/login', 'text/xml', `<login><${name}>${value}</${name}></login>`),
  (name, value) => text('/login', 'text/plain', `${name}:\r${value}\u2028${value}`),
  (name, value) => text(REFS, 'text/plain', `${name}=${value}`),
  (name, value) => ({ path: `/__control/requests?${inUrl(name)}=${inUrl(value)}` }),
  (name, value) => json('/__control/faults', `{"kind":"reset",${quoted(name)}:${quoted(value)}}`),
  (name, value) => json('/__control/customers', `{"name":"a",${quoted(name)}:${quoted(value)}}`),
  (name, value) => json('/__control/customers', `{"name":{${quoted(name)}:${quoted(value)}}}`),
];

const inUrl = encodeURIComponent;
const quoted = (value: string) => JSON.stringify(value);
const spelled = (text: string, spell: (code: number) => string) =>
  text.replaceAll(/[\s\S]/g, (one) => spell(one.charCodeAt(0)));

/** How the value may be written, besides the escapes of its place. */
const SPELLINGS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => `${'x'.repeat(190)}${secret}`,
  (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
  (secret) => `a=1&password=${secret}`,
  (secret) => spelled(secret, (code) => `%${code.toString(16)}`),
  (secret) => spelled(secret, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
  (secret) => btoa(secret),
];

const NAMES = fc.oneof(
  fc.constantFrom('password', 'user[password]', 'note', 'privateKey', 'a b', 'Ünı', '__proto__'),
  fc.stringMatching(/^[a-z][\w.-]{0,12}$/),
);

const PLANTS = fc.array(
  fc.record({
    place: fc.nat(PLACES.length - 1),
    spelling: fc.nat(SPELLINGS.length - 1),
    name: NAMES,
    secret: fc.stringMatching(/^zQ[a-z0-9]{12}Qz$/),
  }),
  { minLength: 20, maxLength: 40 },
);

/** A text with its escapes undone, and what is base64 in it decoded. */
function readings(text: string): string {
  const plain = (from: string) =>
    from.replaceAll(/(?:%25)*%([\da-f]{2})|\\+u([\da-f]{4})/gi, (_all, byte, unit) =>
      String.fromCharCode(Number.parseInt(byte ?? unit, 16)),
    );
  const words = text.match(/[\w+/]{16,}={0,2}/g) ?? [];
  const decoded = words.map((word) => Buffer.from(word, 'base64').toString('latin1'));
  return [text, plain(plain(text)), ...decoded].join('\n');
}

/** Random values in places that nothing documents are in nothing that the mock writes of itself. */
export const planted = kind(2, PLANTS, async (_target, plants) => {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'));
  const [dataset, journal] = [join(folder, 'dataset.yaml'), join(folder, 'journal.jsonl')];
  writeFileSync(dataset, DATASET);
  const files = ['--dataset', dataset, '--journal-file', journal, '--capture-bodies'];
  const command = await startCommand([...files, '--log-level', 'trace']);
  const call = async ({ path, type = 'application/json', headers, ...init }: Plant) => {
    const sent = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': type, ...headers };
    const response = await fetch(`${command.url}${path}`, { ...init, headers: sent });
    return response.text();
  };
  try {
    const shown: string[] = [];
    for (const { place, spelling, name, secret } of plants) {
      const write = SPELLINGS[spelling] as (typeof SPELLINGS)[number];
      const plant = PLACES[place]?.(name, write(secret)) as Plant;
      await call(plant);
    }
    for (const of of ['account', 'server'])
      for (const path of ['requests', 'requests/har'])
        shown.push(await call({ path: `/__control/${path}?of=${of}&values=documented` }));
    await command.stop();
    shown.push(command.log(), readFileSync(journal, 'utf8'));
    const all = readings(shown.join('\n'));
    for (const { secret } of plants) {
      const at = all.indexOf(secret);
      demand(at < 0, 'no planted value', all.slice(Math.max(0, at - 300), at + 50));
    }
    demand(all.includes('[not shown]'), 'a mark where one was', all.slice(0, 500));
  } finally {
    await command.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
