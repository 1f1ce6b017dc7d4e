import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CompilerOptions } from 'typescript';
import { mistakesIn } from '../support/compile-modules.js';

/** Every matcher, as its users call it, and mistakes that its types must find. */
const CALLS = `
export async function expectAll(mock: unknown, response: Response) {
  await expect(mock).toHaveReceived('deleteContract', { contractId: 'k1' });
  await expect(mock).toHaveReceived('listMeasurements', { limit: 5, cursor: undefined });
  await expect(mock).not.toHaveReceived('deleteEventsByRefs', { refs: ['r1'] });
  await expect(mock).toHaveReceivedTimes('getCustomerByName', 2, { name: 'Initech' });
  await expect(mock).toHaveReceivedInOrder(['getCustomer', ['deleteContract', { contractId: 'k1' }]]);
  await expect(mock).resolves.toHaveReceived('deleteContract', { contractId: 'k1' });
  await expect(mock).toHaveNothingPending();
  await expect(response).toMatchContract('getCustomer', {});
  // @ts-expect-error: there is no such operation.
  await expect(mock).toHaveReceived('deleteContracts');
  // @ts-expect-error: there is no such parameter in the path.
  await expect(mock).toHaveReceived('deleteContract', { contract: 'k1' });
  // @ts-expect-error: there is no such parameter in the query.
  await expect(mock).toHaveReceivedTimes('listMeasurements', 1, { limits: 5 });
  // @ts-expect-error: there is no such member in the body.
  await expect(mock).toHaveReceived('deleteEventsByRefs', { ref: ['r1'] });
  // @ts-expect-error: there is no such parameter of this operation.
  await expect(mock).toHaveReceivedInOrder([['getCustomer', { contractId: 'k1' }]]);
}`;

/** Options, which only the matchers of Playwright take. */
const OPTIONS = `
export async function expectLater(mock: unknown) {
  await expect(mock).toHaveReceived('deleteContract', {}, { timeout: 5 });
  await expect(mock).toHaveReceived('deleteContract', { timeout: 5 });
  await expect(mock).toHaveReceivedTimes('deleteContract', 1, {}, { timeout: 5 });
  await expect(mock).toHaveReceivedTimes('deleteContract', 1, { timeout: 5 });
  await expect(mock).toHaveReceivedInOrder(['deleteContract'], { timeout: 5 });
  await expect(mock).toHaveNothingPending({ timeout: 5 });
}`;

/** Where users of each kit have `expect` from; with an empty text, it is global. */
const KITS = [
  ['jest', ["import { expect } from '@jest/globals';", '']],
  ['vitest', ["import { expect } from 'vitest';"]],
  ['playwright', ["import { expect } from 'usage-billing-mock/playwright';"]],
] as const;

const COMPILERS: readonly (readonly [string, CompilerOptions])[] = [
  ['strictly', { exactOptionalPropertyTypes: true }],
  ['as the defaults of Next.js do', { strict: false }],
];

// A program for each kit: vitest's `expect` would have the matchers that jest's kit makes global.
test.each(
  COMPILERS.flatMap(([how, options]) =>
    KITS.map(([kit, imports]) => ({ how, options, kit, imports })),
  ),
)('the matchers of $kit are typed $how', ({ options, kit, imports }) => {
  const modules = imports.flatMap((line, nth) =>
    Object.entries({ CALLS, OPTIONS }).map(([name, calls]): [string, string] => [
      resolve(`${name}-${nth}.mts`),
      `${line}\nimport 'usage-billing-mock/${kit}';\n${calls}`,
    ]),
  );
  const types = kit === 'jest' ? ['node', 'jest'] : ['node'];
  const mistakes = mistakesIn(new Map(modules), { types, ...options });
  const expected =
    kit === 'playwright' ? [] : imports.flatMap((_, nth) => Array(6).fill(`OPTIONS-${nth}`));
  expect([mistakes.map((one) => /\w+-\d(?=\.mts)/.exec(one)?.[0]), mistakes]).toEqual([
    expected,
    mistakes,
  ]);
});

test.each([
  ['jest', "import { expect } from '@jest/globals';", 'mock.token'],
  ['playwright', "import { expect } from 'usage-billing-mock/playwright';", ''],
])(
  'tests of both module systems use the kit for %s in one program, whose libraries are checked',
  (kit, line) => {
    const calls = `${line}\nimport 'usage-billing-mock/${kit}';\n${CALLS}`;
    const modules = ['cts', 'mts'].map((end): [string, string] => [resolve(`calls.${end}`), calls]);
    const types = ['cts', 'mts'].map((end): [string, string] => {
      const path = resolve(`dist/${kit}.d.${end}`);
      return [path, readFileSync(path, 'utf8')];
    });
    expect(mistakesIn(new Map([...modules, ...types]), { skipLibCheck: false })).toEqual([]);
  },
);
