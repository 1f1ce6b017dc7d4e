import { randomUUID } from 'node:crypto';
import { sign } from '../../server/node-platform.js';
import { namedToken } from '../../stubs/issued-tokens.js';

/** Which test of which file an account is for. */
export interface TestPlace {
  readonly file?: string | undefined;
  readonly test?: string | undefined;
}

/** Far more than there are tests: an account takes hardly any memory before it is changed. */
export const MANY_ACCOUNTS = 1_000_000;

/** As long as a name that an account may be given. */
const LONGEST_NAME = 200;
const LONGEST_PART = 80;

/** What the accounts of one run begin with. */
export function createRunName(): string {
  return `run-${shortId()}`;
}

/**
 * Creates tokens for the accounts of one file of tests: what comes before them, the file, the test,
 * and a number, so that no two are the same; and a signature, so that every mock knows them.
 */
export function createAccountNames(before: readonly string[]): (place: TestPlace) => string {
  // The same file may run twice, as part of two projects.
  const once = before.length > 0 ? `.${shortId()}` : '';
  let count = 0;
  return ({ file = '', test = '' }) => {
    count += 1;
    const shown = inToken(file.split(/[\\/]/).at(-1) ?? '', LONGEST_PART);
    const title = inToken(test, LONGEST_NAME - ' › '.length - shown.length);
    const above = before.map((one) => inToken(one, LONGEST_PART));
    return namedToken([...above, `${shown}${once}`, `${title}.${count}`].join('/'), sign);
  };
}

function shortId(): string {
  return randomUUID().slice(0, 8);
}

/**
 * A text in the characters of a bearer token: with `+` for a space, and `~` for what is between the
 * titles of a group and a test. One that is too long ends with `...`.
 */
function inToken(text: string, longest: number): string {
  const plain = text
    .replace(/[^A-Za-z0-9._\s›>-]+/g, '-')
    .replace(/ [›>] /g, '~')
    .replace(/(?:-?[\s›>])+-?/g, '+');
  const cut = plain.length > longest ? `${plain.slice(0, longest - 3)}...` : plain;
  return /^[-+~]*(.*[^-+~])?/.exec(cut)?.[1] ?? 'test';
}
