import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { blocksOf, codeIn, tableOf, textOf } from '../support/pages.js';

const PAGE = 'docs/control-plane.md';
const server = await createMockServer();
const rows = tableOf(PAGE, 'what');

/** Path -> its methods, the names of ids left out. */
const documented = new Map(
  Object.entries<object>(parse(readFileSync('control.openapi.yaml', 'utf8')).paths).map(
    ([path, methods]) => [path.replaceAll(/\{\w+Id\}/g, '{id}'), Object.keys(methods)],
  ),
);

/** The calls that a cell names: `GET`, `PUT /state` are two of one path. */
function callsIn(cell: string): string[][] {
  let methods: string[] = [];
  let isComplete = false;
  return codeIn(cell).flatMap((code) => {
    const [, method, path = ''] = /^([A-Z]+)? ?(.*)$/.exec(code) ?? [];
    if (method !== undefined) methods = [...(isComplete ? [] : methods), method.toLowerCase()];
    isComplete = path !== '';
    return isComplete ? methods.map((one) => [path, one]) : [];
  });
}

describe(PAGE, () => {
  test('names only calls that the document has', () => {
    const calls = rows.flatMap(([, http = '']) => callsIn(http));
    expect(calls.length).toBeGreaterThan(25);
    for (const [path = '', method] of calls) {
      expect([path, documented.get(path)]).toEqual([path, expect.arrayContaining([method])]);
    }
  });

  test('has a row for every group of calls', () => {
    const named = rows.flatMap(([, http = '']) => callsIn(http)).map(([path = '']) => path);
    const groups = (paths: Iterable<string>) =>
      new Set([...paths].map((path) => path.split('/')[1] ?? ''));
    expect(groups(documented.keys())).toEqual(groups(named));
  });

  test('names only what the library has', () => {
    const account = server.account('t');
    const { customers, journal, faults, stubs, clock, latency, decisions } = account;
    const owners: Record<string, object> = {
      ...{ server, customers, journal, faults, stubs, clock, latency, decisions },
    };
    const calls = rows.flatMap(([, , library = '']) => {
      // `journal.list()`, `count()` are two of the journal.
      let owner: object = account;
      return codeIn(library).map((code) => {
        const [, group, name = ''] = /^(?:(\w+)\.)?(\w+)\(/.exec(code) ?? [];
        owner = group === undefined ? owner : (owners[group] ?? {});
        return [code, name in owner];
      });
    });
    expect(calls.length).toBeGreaterThan(15);
    expect(calls.filter(([, exists]) => !exists)).toEqual([]);
  });

  test('shows a retry against a lost response in fifteen lines', () => {
    const [example = ''] = blocksOf(PAGE, 'ts');
    expect(example.trim().split('\n').length).toBeLessThanOrEqual(15);
    expect(example).toContain("phase: 'after'");
    expect(example).toContain('// 404 2');
  });

  test('shows the body of a fault that is accepted', async () => {
    const bodies = codeIn(textOf(PAGE)).filter((code) => code.startsWith('{ "'));
    expect(bodies).toHaveLength(1);
    for (const body of bodies) {
      expect((await controlOf(server).post('/faults', JSON.parse(body))).status).toBe(201);
    }
  });
});
