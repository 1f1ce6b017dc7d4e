import { parseDurationMs } from '../billing/duration.js';
import { isOrigin, nearestOrigin } from '../service/origins.js';

/** The number that the text is in decimal digits; any other text unchanged, for the check to refuse. */
export function parseNumber(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** The value of a switch in an environment variable. */
export function parseSwitch(text: string): unknown {
  const meanings: Readonly<Record<string, boolean>> = {
    true: true,
    1: true,
    false: false,
    0: false,
  };
  return meanings[text] ?? text;
}

/** A check for whole numbers from 0 up to the most. */
export function isIntegerUpTo(most: number): (value: unknown) => boolean {
  return (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
}

/** Whether the value is a duration such as `30m`, of a millisecond or more. */
export function isDuration(value: unknown): boolean {
  return typeof value === 'string' && value.length < 11 && parseDurationMs(value) > 0;
}

/** Whether the value is a list of host names, without ports. */
export function isHostNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => isText(name) && !/[\s,/:]/.test(name));
}

/** Whether the value is a non-empty text. */
export function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** Whether the value is a list of origins. */
export function isOrigins(value: unknown): boolean {
  return Array.isArray(value) && value.every((origin) => isText(origin) && isOrigin(origin));
}

/** Why these texts are no origins that could be allowed. */
const NO_ORIGINS: ReadonlyMap<unknown, string> = new Map([
  ['*', "'*' would let every page that you open change the mock: name each origin."],
  ['null', "'null' is every local file and sandboxed frame: serve the page over http or https."],
]);

/** What to write instead of the first text of a list that is no origin. */
export function adviceOnOrigins(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const wrong: unknown = value.find((origin) => !isOrigins([origin]));
  const nearest = typeof wrong === 'string' ? nearestOrigin(wrong) : undefined;
  return NO_ORIGINS.get(wrong) ?? (nearest && `Did you mean '${nearest}'?`);
}
