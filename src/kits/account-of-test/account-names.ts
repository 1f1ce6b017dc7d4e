import { randomUUID } from 'node:crypto';
import { sign } from '../../server/node-platform.js';
import { namedToken } from '../../stubs/issued-tokens.js';

/** The test that an account is for, and its file. */
export interface TestPlace {
  readonly file?: string | undefined;
  readonly test?: string | undefined;
}

/** Far more than there are tests: an account takes hardly any memory until it is changed. */
export const MANY_ACCOUNTS = 1_000_000;

const LONGEST_PART = 80;

/** The first part of the tokens of one run. */
export function createRunName(): string {
  return `run-${shortId()}`;
}

/**
 * Creates tokens for the accounts of one test file. Each consists of `before`, the file, the test
 * and a number, so no two are equal, and is signed, so every mock recognises it.
 */
export function createAccountNames(before: readonly string[]): (place: TestPlace) => string {
  // The same file may run twice, as part of two projects.
  const once = before.length > 0 ? `.${shortId()}` : '';
  let count = 0;
  return ({ file = '', test = '' }) => {
    count += 1;
    const name = file.split(/[\\/]/).at(-1) ?? '';
    const parts = [...before.map(inToken), `${inToken(name)}${once}`, `${inToken(test)}.${count}`];
    return namedToken(parts.join('/'), sign);
  };
}

function shortId(): string {
  return randomUUID().slice(0, 8);
}

/**
 * The end of a text, which says more than its beginning, in characters that a bearer token may
 * have: `+` stands for spaces, `~` for the separator between the titles of a group and a test.
 */
function inToken(text: string): string {
  const plain = text
    .replace(/[^A-Za-z0-9._\s›>-]+/g, '-')
    .replace(/ [›>] /g, '~')
    .replace(/(?:-?[\s›>])+-?/g, '+')
    .slice(-LONGEST_PART);
  return /^[-+~]*(.*[^-+~])?/.exec(plain)?.[1] ?? 'test';
}
