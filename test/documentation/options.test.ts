import {
  COMMAND_OPTIONS,
  flagOf,
  OPTIONS,
  type OptionRow,
} from '../../src/host/options/option-table.js';
import {
  type ConnectOptions,
  connectMockServer,
} from '../../src/mock/client/connect-mock-server.js';
import { codeIn, textOf } from '../support/pages.js';

/** A flag in camel case: `stateFile` for `--state-file`. */
function inCamelCase(flag: string): string {
  return flag.slice(2).replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

test('docs/testing.md names each option whose flag has another name, or that the command alone has', () => {
  const otherwise = Object.entries<OptionRow>(OPTIONS)
    .map(([name, row]) => ({ name, flag: flagOf(name, row) }))
    .filter(({ name, flag }) => inCamelCase(flag) !== name);
  const alone = Object.keys(COMMAND_OPTIONS).filter((name) => name !== 'decisions');
  const named = codeIn(textOf('docs/testing.md')).map((code) => code.replace(/: false$/, ''));
  expect(otherwise.length).toBeGreaterThan(0);
  for (const { name, flag } of otherwise)
    expect(named).toEqual(expect.arrayContaining([name, flag]));
  expect(named).toEqual(expect.arrayContaining(alone));
});

test('docs/control-plane.md names every option of connectMockServer', () => {
  const given = { url: 'http://127.0.0.1', nope: true } as ConnectOptions;
  let refusal = '';
  try {
    connectMockServer(given);
  } catch (error) {
    refusal = (error as Error).message;
  }
  const [, names = ''] = /expected (?:one of )?(.+)\./.exec(refusal) ?? [];
  const [, said = ''] = /Its options are (.*)\n/.exec(textOf('docs/control-plane.md')) ?? [];
  expect(codeIn(said)).toEqual(names.split(', '));
});
