import { createHash } from 'node:crypto';
import { createMockServer, type Har } from '../../src/index.js';
import { until } from '../support/fetching.js';

const server = await createMockServer({ captureBodies: true, dataset: 'empty' });
const url = await server.start();
afterAll(() => server.stop());

const TOKEN = 'captured';
const { customers, faults, journal } = server.account(TOKEN);

/** The archived response to a call that a fault distorts. */
async function entryOf(path: string): Promise<Har['log']['entries'][number]['response']> {
  const count = journal.count();
  const response = fetch(url + path, { headers: { Authorization: `Bearer ${TOKEN}` } });
  await response.then((given) => given.text()).catch(() => undefined);
  await until(() => journal.list()[count]?.outcome !== undefined);
  const entry = journal.toHar().log.entries[count];
  if (!entry) throw new Error('The call is not in the archive.');
  return entry.response;
}

test('a response that is cut within a character is kept byte by byte', async () => {
  const encodings = [];
  for (const before of ['', 'x', 'xx', 'xxx', 'xxxx', 'xxxxx']) {
    const customer = customers.put({ id: 'cut', name: `${before}${'€'.repeat(200)}` });
    const whole = Buffer.from(JSON.stringify({ customer }));
    faults.add({ kind: 'truncated' });
    const { content } = await entryOf('/customers/cut');
    const { text = '', encoding = 'utf8' } = content as { text?: string; encoding?: 'base64' };
    const half = whole.subarray(0, Math.ceil(whole.length / 2));
    expect(Buffer.from(text, encoding).equals(half)).toBe(true);
    encodings.push(encoding);
  }
  // Two of three cuts split a character.
  expect(new Set(encodings)).toEqual(new Set(['utf8', 'base64']));
});

test('a long response that is cut within a character is listed by the hash of its own bytes', async () => {
  for (const before of ['', 'x', 'xx']) {
    const customer = customers.put({ id: 'long', name: `${before}${'€'.repeat(20_000)}` });
    const whole = Buffer.from(JSON.stringify({ customer }));
    faults.add({ kind: 'truncated' });
    const { content } = await entryOf('/customers/long');
    const { text = '', encoding = 'utf8' } = content as { text?: string; encoding?: 'base64' };
    const half = whole.subarray(0, Math.ceil(whole.length / 2));
    expect(Buffer.from(text, encoding).equals(half)).toBe(true);
    const hash = createHash('sha256').update(half).digest('hex');
    expect(journal.list().at(-1)?.responseBody).toEqual({ bytes: half.length, hash });
  }
});

test('a response that never began has neither header fields nor a length', async () => {
  faults.add({ kind: 'reset' });
  const { status, headers, bodySize, content } = await entryOf('/customers/cut');
  expect({ status, headers, bodySize }).toEqual({ status: -1, headers: [], bodySize: -1 });
  expect(content).toEqual({ size: 0, mimeType: 'x-unknown' });
});
