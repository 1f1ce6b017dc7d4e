import fc from 'fast-check';
import { createMockServer } from '../../src/index.js';
import { anyCharacter } from '../support/characters.js';

const RUNS = { seed: 20_260_101, numRuns: 500 };

const BODY = {
  token: '{{token body.text}}',
  list: ['{{body.text}}', 5, null, { __proto__: null, 'a "key"': 'x {{body.text}} y {{path.id}}' }],
};
const SHAPE = {
  token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  list: [expect.any(String), 5, null, { 'a "key"': expect.any(String) }],
};

const server = await createMockServer({
  dataset: 'empty',
  stubs: [
    { method: 'POST', path: '/echo/{id}', body: BODY },
    { method: 'POST', path: '/header', headers: { 'X-Text': '{{body.text}}' } },
  ],
});

function post(path: string, body: string) {
  const headers = { 'Content-Type': 'application/json' };
  return server.fetch(path, { method: 'POST', headers, body });
}

const HOSTILE = [
  '"',
  '\\',
  '","admin":true,"x":"',
  '\r\n\r\n<html>',
  '\u0000',
  '\u2028',
  '\ud800',
  '\udc00\ud800',
  '__proto__',
  '{{body.text}}',
  '{{token body.text}}',
  '{{',
  '$&$1$`',
];

const texts = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.constantFrom(...HOSTILE),
  fc.array(fc.constantFrom(...HOSTILE), { maxLength: 5 }).map((parts) => parts.join('')),
);

describe('whatever is sent', () => {
  test('the body of the response is JSON of the same shape, with the value in its place', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const response = await post(`/echo/7`, JSON.stringify({ text }));
        expect(response.status).toBe(200);
        const body = (await response.json()) as typeof BODY;
        expect(body).toEqual(SHAPE);
        expect(body.list[0]).toBe(text);
        expect(body.list[3]).toEqual({ 'a "key"': `x ${text} y 7` });
      }),
      RUNS,
    );
  });

  test('as JSON of any kind, the response has that shape or is a 400', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (text) => {
        const response = await post('/echo/7', JSON.stringify({ text }));
        const isSingle = ['string', 'number', 'boolean'].includes(typeof text);
        expect(response.status).toBe(isSingle ? 200 : 400);
        if (isSingle) expect(await response.json()).toEqual(SHAPE);
      }),
      RUNS,
    );
  });

  test('another value gets another token, and the same one the same', async () => {
    const tokenOf = async (text: string) =>
      ((await (await post('/echo/7', JSON.stringify({ text }))).json()) as typeof BODY).token;
    await fc.assert(
      fc.asyncProperty(texts, texts, async (one, other) => {
        expect((await tokenOf(one)) === (await tokenOf(other))).toBe(one === other);
      }),
      { ...RUNS, numRuns: 100 },
    );
  });

  test('a header field has it unchanged, or it is a 400', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const response = await post('/header', JSON.stringify({ text }));
        const isPlain = /^[\x20-\x7e\xa0-\xff]*$/.test(text);
        expect(response.status).toBe(isPlain ? 200 : 400);
        // A field's value does not include the spaces around it.
        if (isPlain) expect(response.headers.get('x-text')).toBe(text.replace(/^ +| +$/g, ''));
        else expect(response.headers.has('x-text')).toBe(false);
      }),
      RUNS,
    );
  });

  test('a value of a megabyte arrives as it was sent', async () => {
    const open = await createMockServer({
      dataset: 'empty',
      stubs: [{ method: 'POST', path: '/echo', body: ['{{body.text}}'] }],
    });
    const text = '"\\\n🙂'.repeat(2 ** 18);
    const response = await open.fetch('/echo', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ text }),
    });
    expect(await response.json()).toEqual([text]);
  });
});
