import { flagOf } from '../options/option-names.js';
import { OPTIONS } from '../options/option-table.js';
import { variableValue } from './variables.js';

const FLAG = flagOf('logFormat', OPTIONS.logFormat);

/** Whether standard error is JSON. Known before the flags are parsed: a wrong one is reported too. */
export function writesJson(): boolean {
  const args = process.argv.slice(2);
  const values = args.flatMap((arg, nth) => {
    if (arg === FLAG) return [args[nth + 1]];
    return arg.startsWith(`${FLAG}=`) ? [arg.slice(FLAG.length + 1)] : [];
  });
  return (values.at(-1) ?? variableValue('logFormat')) === 'json';
}

/** A line in the format of the log. */
export function jsonLine(level: 'info' | 'fatal', msg: string, members: object = {}): string {
  return `${JSON.stringify({ level, time: new Date().toISOString(), ...members, msg })}\n`;
}
