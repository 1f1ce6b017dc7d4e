import { Option } from 'commander';
import { shown } from '../messages/received-value.js';
import { OptionError } from '../options/complete-options.js';

/** A flag that accepts a whole number from 1. */
export function count(flags: string, words: string): Option {
  return new Option(flags, words).argParser((text) => {
    if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
    throw new OptionError(
      `${flags.split(' ')[0]} is ${shown(text)}; expected a whole number from 1 to 999999.`,
    );
  });
}
