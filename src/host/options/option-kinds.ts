import type { OptionRule } from '../../core/errors/option-error.js';
import { didYouMean } from '../../core/values/did-you-mean.js';
import { isOrigin, nearestOrigin } from '../../core/values/origins.js';

/** What the value of an option must be, and how to convert text from the command line to it. */
export interface OptionKind extends OptionRule {
  /** The placeholder of the value in the help; a flag without one is a switch. */
  readonly placeholder?: string;
  /** Converts text from the command line or the environment; if left out, the text is the value. */
  readonly parse?: (text: string) => unknown;
}

/** Any non-empty text. */
export function text(placeholder: string, expected: string): OptionKind {
  return { placeholder, expected, isValid: isText };
}

export const FILE = text('file', 'the path of a file');

/** On or off: a flag without a value; `true`, `false`, `1` or `0` in a variable. */
export const SWITCH: OptionKind = {
  expected: 'true or false',
  isValid: (value) => typeof value === 'boolean',
  parse: (given) => SWITCHES.get(given) ?? given,
};

const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export function wholeNumber(least: number, most: number): OptionKind {
  return {
    placeholder: 'number',
    expected: `a whole number from ${least} to ${most}`,
    isValid: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    parse: (given) => (/^\d+$/.test(given) ? Number(given) : given),
  };
}

export function oneOf(placeholder: string, values: readonly string[]): OptionKind {
  return {
    placeholder,
    expected: `one of ${values.join(', ')}`,
    isValid: (value) => values.some((one) => one === value),
    advice: (value) => didYouMean(value, values),
  };
}

export const BASE_PATH = {
  placeholder: 'path',
  expected: 'a path such as /v1, of letters, digits and any of -._~@:+',
  isValid: isBasePath,
  advice: adviceOnBasePath,
} satisfies OptionKind;

/** A list; its flag may be repeated, and text may list several items, separated by commas. */
export function listOf(
  placeholder: string,
  expected: string,
  isItem: (item: string) => boolean,
): OptionKind {
  return {
    placeholder,
    expected,
    isValid: (value) => Array.isArray(value) && value.every((item) => isText(item) && isItem(item)),
    parse: (given) => given.split(','),
  };
}

export const ORIGINS: OptionKind = {
  ...listOf(
    'origin',
    'origins such as http://localhost:5173, with only scheme, host and port',
    isOrigin,
  ),
  advice: adviceOnOrigins,
};

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

const PATH = /^(\/[\w.~@:+-]+)+$/;
const DOTS = /\/\.{1,2}(\/|$)/;
const CONTROL_PLANE = /^\/__control(\/|$)/;

function isBasePath(value: unknown): boolean {
  if (typeof value !== 'string' || !PATH.test(value)) return false;
  return !DOTS.test(value) && !CONTROL_PLANE.test(value);
}

function adviceOnBasePath(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (CONTROL_PLANE.test(value)) return 'The control plane answers there: choose another path.';
  const [path = ''] = value.replace(/^[a-z]+:\/\/[^/]*/i, '').split(/[?#]/);
  const parts = path.split('/').filter((part) => !['', '.', '..'].includes(part));
  if (parts.length === 0) return 'Leave it out to answer at the root.';
  const nearest = `/${parts.join('/')}`;
  return isBasePath(nearest) ? `Did you mean '${nearest}'?` : undefined;
}

/** Why these texts cannot be allowed as origins. */
const NO_ORIGINS: ReadonlyMap<unknown, string> = new Map([
  ['*', "'*' would let every page that you open change the mock: name each origin."],
  [
    'null',
    "'null' is the origin of every local file and sandboxed frame: serve the page over HTTP or HTTPS.",
  ],
]);

/** What to write instead of the first item of a list that is not an origin. */
function adviceOnOrigins(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const wrong: unknown = value.find((origin) => !ORIGINS.isValid([origin]));
  const nearest = typeof wrong === 'string' ? nearestOrigin(wrong) : undefined;
  return NO_ORIGINS.get(wrong) ?? (nearest && `Did you mean '${nearest}'?`);
}
