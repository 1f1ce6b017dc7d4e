import { resolve } from 'node:path';
import { FixtureError } from '../datasets/fixture/fixture-file.js';
import type { GivenChanges } from '../decisions/decision-changes.js';
import { wrongChanges } from '../decisions/wrong-changes.js';
import { isObject } from '../messages/is-object.js';
import { shown } from '../messages/received-value.js';
import { OptionError } from '../options/complete-options.js';
import { readFixtureFile } from '../server/fixture-files.js';

/** Reads the file of `--decisions`; an invalid one is refused with the lines of its mistakes. */
export function readDecisionsFile(path: string): GivenChanges {
  const { value, explain } = readFixtureFile(resolve(path));
  if (!isObject(value)) {
    throw new OptionError(
      `${path} is ${shown(value)}; expected decisions such as repeat-delete: gone.`,
    );
  }
  const mistakes = [...wrongChanges(value, 'server')];
  if (mistakes.length > 0) throw new FixtureError(explain(mistakes).join('\n'));
  return value;
}
