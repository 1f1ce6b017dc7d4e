import type { ComponentChildren } from 'preact';
import { parseJson } from '../../core/values/parse-json.js';

/** From here on, a power of ten is easier to read than digits. */
const LARGE = 1e15;
const NUMBERS = new Intl.NumberFormat('en', { maximumSignificantDigits: 12 });

export function formatNumber(value: number): string {
  return Math.abs(value) < LARGE && (value === 0 || Math.abs(value) > 1e-6)
    ? NUMBERS.format(value)
    : String(Number(value.toPrecision(6)));
}

/** A number of things, such as `1 request` or `20,000 requests`. */
export function count(number: number, noun: string): string {
  return `${NUMBERS.format(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Indents JSON; returns any other text unchanged. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(parseJson(text), null, 2);
  } catch {
    return text;
  }
}

/** A text with code between backticks, as in the descriptions of the document. */
export function Words({ text = '' }: { readonly text?: string | undefined }) {
  const parts = text.split('`').map((part, index) => ({ part, isCode: index % 2 === 1, index }));
  return (
    <>{parts.map(({ part, isCode, index }) => (isCode ? <code key={index}>{part}</code> : part))}</>
  );
}

interface PreProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A text as it is, which the keyboard can scroll. */
export function Pre({ label, children }: PreProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll only what has the focus
    <pre tabIndex={0} role="group" aria-label={label}>
      {children}
    </pre>
  );
}

const UNITS = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const;
const RELATIVE = new Intl.RelativeTimeFormat('en', { style: 'narrow', numeric: 'auto' });

export function Ago({ at }: { readonly at: string }) {
  const seconds = (new Date(at).getTime() - Date.now()) / 1_000;
  const [unit, length] = UNITS.findLast(([, each]) => Math.abs(seconds) >= each) ?? UNITS[0];
  return (
    <time dateTime={at} title={at}>
      {RELATIVE.format(Math.trunc(seconds / length), unit)}
    </time>
  );
}

/** Hours and minutes. */
export function clockTime(at: Date): string {
  return at.toTimeString().slice(0, 5);
}

/** The last part of a name, which differs between the tests of a file, and the parts before it. */
export function partsOf(name: string): readonly [title: string, before: string] {
  const parts = name.split(' › ');
  return [parts.at(-1) ?? '', parts.slice(0, -1).join(' › ')];
}

/** Ids up to this length are shown whole. */
const MAX_ID_LENGTH = 13;

/** Shortens a long id to its end, which differs between the ids of a dataset. */
export function endOf(id: string): string {
  return id.length > MAX_ID_LENGTH ? `…${id.slice(-8)}` : id;
}

export function download(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
