import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { openapi } from '../support/document.js';
import { blocksOf, textOf } from '../support/pages.js';

const PAGE = 'docs/errors.md';
const server = await createMockServer();

/** The statuses of each line of the list, in order. */
const LISTED = [...textOf(PAGE).matchAll(/^\d\. (.*(?:\n +.*)*)/gm)].map(([, line = '']) =>
  (line.match(/\b[45]\d\d\b/g) ?? []).map(Number),
);

const PATH = '/events/delete-by-refs';
const TOKEN = { Authorization: 'Bearer t' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const LONG = ' '.repeat(10 * 2 ** 20 + 1);

/** A request with every mistake that is left, and the status for the one that it is refused for. */
const MISTAKES: readonly (readonly [status: number, path: string, given: RequestInit])[] = [
  [404, `${PATH}/`, { method: 'PUT', body: LONG }],
  [405, PATH, { method: 'PUT', body: LONG }],
  [401, PATH, { body: LONG }],
  [429, PATH, { body: LONG, headers: { ...TOKEN, Prefer: 'code=503' } }],
  [503, PATH, { body: LONG, headers: { ...TOKEN, Prefer: 'code=503' } }],
  [418, PATH, { body: LONG, headers: TOKEN }],
  [415, PATH, { body: LONG, headers: TOKEN }],
  [413, PATH, { body: LONG, headers: { ...TOKEN, ...JSON_TYPE } }],
  [400, PATH, { body: '{', headers: { ...TOKEN, ...JSON_TYPE } }],
  [404, PATH, { body: '{"refs":["nobody"]}', headers: { ...TOKEN, ...JSON_TYPE } }],
];

describe(PAGE, () => {
  test('shows an error as the mock sends it', async () => {
    const [shown = ''] = blocksOf(PAGE, 'json');
    const { text } = await controlOf(server).service.get('/customers/c9');
    expect(JSON.parse(text)).toEqual(JSON.parse(shown));
  });

  test('lists refusals in the order in which the mock prefers them', async () => {
    const strict = await createMockServer({ decisions: { 'unmatched-refs': 'not-found' } });
    const { decisions, faults } = strict.account('t');
    faults.add({ kind: 'status', status: 418, phase: 'before', path: PATH });
    let line = 0;
    for (const [status, path, given] of MISTAKES) {
      decisions.change({ 'rate-limit': status === 429 ? '1/1h' : 'unlimited' });
      if (status === 429) await strict.fetch('/customers/x', { headers: TOKEN });
      const response = await strict.fetch(path, { method: 'POST', ...given });
      expect([path, response.status]).toEqual([path, status]);
      const isInjected = status === 418 || status === 503;
      if (!isInjected) line = LISTED.findIndex((some, at) => at >= line && some.includes(status));
      expect(line).toBeGreaterThan(0);
    }
  });

  test('lists every refusal that an operation has', () => {
    const documented = Object.values<Record<string, { responses: object }>>(openapi.paths)
      .flatMap((item) => Object.values(item).flatMap(({ responses }) => Object.keys(responses)))
      .map(Number);
    const refusals = new Set(documented.filter((status) => status >= 400 && status !== 500));
    expect(LISTED.flat()).toEqual(expect.arrayContaining([...refusals]));
  });
});
