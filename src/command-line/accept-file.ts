import { resolve } from 'node:path';
import { readFixtureFile } from '../datasets/fixture/fixture-file.js';
import { shown } from '../messages/received-value.js';
import { OptionError } from '../options/complete-options.js';

/** Reads the file of `--accept`: a list of decisions, or `id=value`. */
export function readAcceptFile(path: string): readonly string[] {
  const { value } = readFixtureFile(resolve(path));
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value;
  throw new OptionError(
    `${path} is ${shown(value)}; expected a list such as [final-cursor, success-status=202].`,
  );
}
