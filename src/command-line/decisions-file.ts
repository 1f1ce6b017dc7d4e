import { resolve } from 'node:path';
import { FixtureError, readFixtureFile } from '../datasets/fixture/fixture-file.js';
import { DEFAULT_DECISIONS } from '../decisions/ledger.js';
import { switchDecisions } from '../decisions/switch-decisions.js';
import { shown } from '../messages/received-value.js';
import { OptionError } from '../options/complete-options.js';

/** Reads the file of `--decisions`; an invalid one is refused with the lines of its mistakes. */
export function readDecisionsFile(path: string): object {
  const { value, explain } = readFixtureFile(resolve(path));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OptionError(
      `${path} is ${shown(value)}; expected decisions such as repeat-delete: gone.`,
    );
  }
  const { mistakes } = switchDecisions(DEFAULT_DECISIONS, { ...value }, 'server');
  if (mistakes.length > 0) throw new FixtureError(explain(mistakes).join('\n'));
  return value;
}
