import { parseJson } from '../../values/parse-json.js';

/** From here on digits say less than a power of ten. */
const LARGE = 1e15;
const NUMBERS = new Intl.NumberFormat('en', { maximumSignificantDigits: 12 });

/** A value as people read it. */
export function formatNumber(value: number): string {
  return Math.abs(value) < LARGE && (value === 0 || Math.abs(value) > 1e-6)
    ? NUMBERS.format(value)
    : String(Number(value.toPrecision(6)));
}

/** A number of things, such as `1 request` or `20,000 requests`. */
export function count(number: number, noun: string): string {
  return `${NUMBERS.format(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** JSON with a member a line; any other text as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(parseJson(text), null, 2);
  } catch {
    return text;
  }
}

/** A text in which names of code stand between backticks, as the document has them. */
export function Words({ text = '' }: { readonly text?: string | undefined }) {
  const parts = text.split('`').map((part, index) => ({ part, isCode: index % 2 === 1, index }));
  return (
    <>{parts.map(({ part, isCode, index }) => (isCode ? <code key={index}>{part}</code> : part))}</>
  );
}

const UNITS = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const;
const RELATIVE = new Intl.RelativeTimeFormat('en', { style: 'narrow', numeric: 'auto' });

/** How long ago something was; the exact instant on hover. */
export function Ago({ at }: { readonly at: string }) {
  const seconds = (new Date(at).getTime() - Date.now()) / 1_000;
  const [unit, length] = UNITS.findLast(([, each]) => Math.abs(seconds) >= each) ?? UNITS[0];
  return (
    <time dateTime={at} title={at}>
      {RELATIVE.format(Math.trunc(seconds / length), unit)}
    </time>
  );
}

/** The last part of a name, in which those of one file of tests differ, and what is before it. */
export function partsOf(name: string): readonly [title: string, before: string] {
  const parts = name.split(' › ');
  return [parts.at(-1) ?? '', parts.slice(0, -1).join(' › ')];
}

/** Ids up to this length are shown whole. */
const LONGEST_ID = 13;

/** An id by its end, in which those of one dataset differ. */
export function endOf(id: string): string {
  return id.length > LONGEST_ID ? `…${id.slice(-8)}` : id;
}

/** Lets the browser save a text as a file. */
export function download(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
