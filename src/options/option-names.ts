import type { OptionRow } from './option-table.js';

/** The prefix of every environment variable. */
export const VARIABLE_PREFIX = 'USAGE_BILLING_MOCK_';

/** The flag of an option, such as `--log-level`. */
export function flagOf(name: string, { flag }: OptionRow): string {
  return flag ?? `--${wordsOf(name).join('-')}`;
}

/** An option as the command and the library name it, with its value if one is given. */
export function labelOf(name: string, row: OptionRow, value?: unknown): string {
  const flag = flagOf(name, row);
  if (value === undefined) return `${flag} (${name} in the library)`;
  return `${row.placeholder ? `${flag} ${value}` : flag} (${name}: ${value} in the library)`;
}

/** The environment variable of an option, such as `USAGE_BILLING_MOCK_LOG_LEVEL`. */
export function variableOf(name: string): string {
  return `${VARIABLE_PREFIX}${wordsOf(name).join('_').toUpperCase()}`;
}

function wordsOf(name: string): string[] {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(' ');
}
