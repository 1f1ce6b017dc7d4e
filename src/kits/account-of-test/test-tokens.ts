import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { inAscii, namedToken } from '#spec';
import { sign } from '../../host/server/process/node-platform.js';

export interface TestPlace {
  readonly file?: string | undefined;
  readonly test?: string | undefined;
}

/** Far more than there are tests: an account takes hardly any memory until it is changed. */
export const MANY_ACCOUNTS = 1_000_000;

/** The most characters that `setName` accepts for an account. */
const MAX_NAME_LENGTH = 200;
const MAX_PART_LENGTH = 80;

/** The first part of the tokens of a run that has an id of its own on this machine. */
export function nameOfRun(id: string): string {
  const hash = createHash('sha256').update(`${hostname()} ${id}`);
  return `run-${hash.digest('hex').slice(0, 8)}`;
}

/**
 * Creates tokens for the accounts of one test file or worker. Each consists of `before`, the file,
 * the test and a number, so no two are equal. Each is signed, so every mock accepts it, even if the
 * decision `unknown-token` rejects others.
 */
export function createTestTokens(before: readonly string[]): (place: TestPlace) => string {
  // The same file may run twice, as part of two projects.
  const once = before.length > 0 ? `.${shortId()}` : '';
  let count = 0;
  return ({ file = '', test = '' }) => {
    count += 1;
    const shown = inToken(file.split(/[\\/]/).at(-1) ?? '', MAX_PART_LENGTH);
    const title = inToken(test, MAX_NAME_LENGTH - ' › '.length - shown.length);
    const above = before.map((one) => inToken(one, MAX_PART_LENGTH));
    return namedToken([...above, `${shown}${once}`, `${title}.${count}`].join('/'), sign);
  };
}

function shortId(): string {
  return randomUUID().slice(0, 8);
}

/**
 * A text in characters that a bearer token may have, with its letters and numbers: `+` stands for
 * spaces, `~` for the separator between the titles of a group and a test. A text that is too long
 * ends with `...`.
 */
function inToken(text: string, longest: number): string {
  const plain = text
    .replace(/[^\p{L}\p{M}\p{N}\p{Join_Control}._\s›>-]+/gu, '-')
    .replace(/(?: [›>] )+/g, '~')
    .replace(/(?:-?[\s›>])+-?/g, '+');
  const letters = [...plain];
  const cut = letters.length > longest ? `${letters.slice(0, longest - 3).join('')}...` : plain;
  return inAscii(/^[-+~]*(.*[^-+~])?/.exec(cut)?.[1] ?? 'test');
}
