import { resolve } from 'node:path';
import ts from 'typescript';
import { COMPILER_HOST, mistakesIn, STRICT } from '../support/compile-modules.js';

/** The entry points that can be imported, with their sources. */
const ENTRIES: Readonly<Record<string, string>> = {
  'usage-billing-mock': 'src/index.ts',
  'usage-billing-mock/browser': 'src/browser.ts',
  'usage-billing-mock/client': 'src/mock/client/connect-mock-server.ts',
  'usage-billing-mock/jest': 'src/kits/jest/jest.ts',
  'usage-billing-mock/vitest': 'src/kits/vitest/vitest.ts',
  'usage-billing-mock/playwright': 'src/kits/playwright/playwright.ts',
  'usage-billing-mock/playwright/app': 'src/kits/playwright/playwright-app.ts',
  'usage-billing-mock/vite': 'src/kits/vite/vite.ts',
  'usage-billing-mock/jest-environment': 'src/kits/jest/jest-environment.ts',
};

/** An export of the package, with its docstring. */
interface Exported {
  readonly entry: string;
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
}

function readExports(): readonly Exported[] {
  const program = ts.createProgram(Object.values(ENTRIES), STRICT, COMPILER_HOST);
  const checker = program.getTypeChecker();
  return Object.entries(ENTRIES).flatMap(([entry, file]) => {
    const source = program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    return (symbol ? checker.getExportsOfModule(symbol) : []).map((exported) => {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const original = isAlias ? checker.getAliasedSymbol(exported) : exported;
      const tags = original.getJsDocTags(checker).filter(({ name }) => name === 'example');
      return {
        entry,
        name: exported.name,
        summary: ts.displayPartsToString(original.getDocumentationComment(checker)),
        examples: tags.map(({ text }) => ts.displayPartsToString(text)),
      };
    });
  });
}

const exported = readExports();

/** The example as a module, with everything that its readers take for granted. */
function moduleOf({ entry }: Exported, example: string): string {
  const lines = example.split('\n');
  const isImport = (line: string) => line.startsWith('import ');
  const imports = lines.filter(isImport);
  const names = exported
    .filter((one) => one.entry === 'usage-billing-mock')
    .map(({ name }) => name);
  const kit = entry.includes('/vitest') ? 'vitest' : 'jest';
  const isPlaywright = entry.includes('/playwright');
  const runner = isPlaywright
    ? 'usage-billing-mock/playwright'
    : { jest: '@jest/globals', vitest: 'vitest' }[kit];
  return [
    ...imports,
    ...(isPlaywright
      ? [
          `import type { Billing, BillingFixtures, BillingOptions } from 'usage-billing-mock/playwright';`,
          `import type { CarriedAccount, CarryingRequest } from 'usage-billing-mock/playwright/app';`,
          "declare const request: import('node:http').IncomingMessage;",
          ...(example.includes('accountOf(') && !imports.some((line) => line.includes('accountOf'))
            ? [`import { accountOf } from 'usage-billing-mock/playwright/app';`]
            : []),
        ]
      : []),
    `import { ${names.join(', ')} } from 'usage-billing-mock';`,
    ...(entry.endsWith('/client')
      ? [
          `import { connectMockServer, type ConnectOptions, type FetchLike, type Remote, type RemoteServer } from '${entry}';`,
        ]
      : []),
    ...(entry.endsWith('/browser')
      ? [`import { createBrowserMock, type BrowserMock, type BrowserMockOptions } from '${entry}';`]
      : []),
    `import type { ViteMockOptions } from 'usage-billing-mock/vite';`,
    `import type { TestMock } from 'usage-billing-mock/${kit}';`,
    ...(imports.some((line) => line.includes('test }'))
      ? []
      : [`import { expect, test } from '${runner}';`]),
    ...(imports.some((line) => line.includes('useMockServer'))
      ? []
      : [`import { useMockServer } from 'usage-billing-mock/${kit}';`]),
    'declare const url: string, init: RequestInit, response: Response;',
    'declare const server: MockServer, account: AccountControl, mock: TestMock;',
    'declare class BillingClient { constructor(url: string, token: string); deleteContract(id: string): Promise<void>; }',
    'export async function example() {',
    ...lines
      .filter((line) => !isImport(line))
      .map((line) => line.replace('export default', 'return')),
    '}',
  ].join('\n');
}

describe('what the package exports', () => {
  test('is there, and has above it what it promises and an example', () => {
    expect(exported.length).toBeGreaterThan(40);
    const bare = exported.filter(({ summary, examples }) => !summary || examples.length === 0);
    expect(bare.map(({ entry, name }) => `${entry}: ${name}`)).toEqual([]);
  });

  test('is used in its examples so that they compile', () => {
    const modules = new Map(
      exported.flatMap((one, index) =>
        one.examples.map((example): [string, string] => [
          resolve(`example-${index}.mts`),
          moduleOf(one, example),
        ]),
      ),
    );
    expect(mistakesIn(modules)).toEqual([]);
    const broken = new Map([[resolve('example.mts'), 'export const id: number = "text";']]);
    expect(mistakesIn(broken)).toHaveLength(1);
  });
});
