import { resolve } from 'node:path';
import {
  type Alternative,
  alternativesNamed,
  nameOf,
  nameOfAll,
  TOGETHER,
} from '../matrix/alternatives.js';
import { shown } from '../messages/received-value.js';
import { OptionError } from '../options/complete-options.js';
import { readFixtureFile } from '../server/fixture-files.js';

/** Reads the file of `--accept`: a list of decisions, `id=value`, or several of these with ` + `. */
export function readAcceptFile(path: string): readonly string[] {
  const { value } = readFixtureFile(resolve(path));
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value;
  throw new OptionError(
    `${path} is ${shown(value)}; expected a list such as [final-cursor, success-status=202].`,
  );
}

/** The names of the alternatives, and combinations, that a file of `--accept` lists. */
export function acceptedIn(
  path: string,
  names: readonly string[],
  alternatives: readonly Alternative[],
): ReadonlySet<string> {
  const isCombination = (name: string) => name.includes(TOGETHER);
  const alone = names.filter((name) => !isCombination(name));
  const combinations = names.filter(isCombination).map((name) => {
    const parts = name.split(TOGETHER);
    const found = alternativesNamed(parts, alternatives, path);
    if (found.map(nameOf).sort().join() === parts.sort().join()) return nameOfAll(found);
    throw new OptionError(
      `${path} names '${name}'; expected id=value before and after ' + ', such as 'total-counts=page + final-cursor=empty-string'.`,
    );
  });
  return new Set([...alternativesNamed(alone, alternatives, path).map(nameOf), ...combinations]);
}
