import type { ComponentChildren, ComponentProps } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

/** A button that submits no form. */
export function Button(props: ComponentProps<'button'>) {
  return <button type="button" {...props} />;
}

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { readonly onSubmit: () => void };

/** A form whose button, or Enter, calls `onSubmit` instead of leaving the page. */
export function Form({ onSubmit, ...attributes }: FormProps) {
  return (
    <form
      {...attributes}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

/** A value that a control shows, and the function that changes it. */
export interface Entered<Value> {
  readonly value: Value;
  readonly onValue: (value: Value) => void;
}

/** Values by name, which stay when the view or the account changes. */
const kept = new Map<string, unknown>();

const nameInTab = (name: string) => `usage-billing-mock kept ${name}`;

/** The value kept under a name in this tab, even across reloads. */
export function readKept<Value>(name: string, initial: Value): Value {
  if (kept.has(name)) return kept.get(name) as Value;
  const text = sessionStorage.getItem(nameInTab(name));
  return text === null ? initial : JSON.parse(text);
}

/** Keeps a JSON value under a name; undefined removes it. */
export function keep(name: string, value: unknown): void {
  kept.set(name, value);
  if (value === undefined) kept.delete(name);
  try {
    if (value === undefined) sessionStorage.removeItem(nameInTab(name));
    else sessionStorage.setItem(nameInTab(name), JSON.stringify(value));
  } catch {
    // If the tab has no room for it, a reload loses it.
    sessionStorage.removeItem(nameInTab(name));
  }
}

/** State that is kept under a name until the tab is closed, even while nothing shows it. */
export function useKept<Value>(name: string, initial: Value) {
  const [value, setValue] = useState(() => readKept(name, initial));
  const change = (next: Value) => {
    keep(name, next);
    setValue(() => next);
  };
  return [value, change] as const;
}

/** The kept value of a field, as props for it. */
export function useEntered<Value>(name: string, initial: Value): Entered<Value> {
  const [value, onValue] = useKept(name, initial);
  return { value, onValue };
}

/** How long typing must pause. */
const SETTLED_MS = 250;

/** What was typed, once typing has paused. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}

type TextProps = Entered<string> & ComponentProps<'input'> & { readonly label: string };

export function TextField({ label, onValue, ...attributes }: TextProps) {
  return (
    <label>
      {label}{' '}
      <input {...attributes} onInput={({ currentTarget }) => onValue(currentTarget.value)} />
    </label>
  );
}

export function hasWords(text: string, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/);
  return words.every((word) => text.toLowerCase().includes(word));
}

/** The search field of a view, which the key `/` focuses. */
export function SearchField(entered: Entered<string> & { readonly label: string }) {
  const { label, ...others } = entered;
  return (
    <TextField label="" aria-label={label} placeholder="Search ( / )" type="search" {...others} />
  );
}

type JsonProps = Entered<string> & { readonly label: string; readonly rows: number };

export function JsonField({ label, onValue, ...attributes }: JsonProps) {
  return (
    <label>
      {label}
      <textarea
        {...attributes}
        spellcheck={false}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </label>
  );
}

export type Option = readonly [
  value: string,
  words: ComponentChildren,
  meaning?: string | undefined,
];

interface ChoiceProps extends Entered<string> {
  readonly label: ComponentChildren;
  readonly 'aria-label'?: string;
  readonly options: readonly Option[];
  readonly disabled?: boolean;
}

export function Choice({ label, options, onValue, ...attributes }: ChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select {...attributes} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A choice between a few values, all of which are visible. */
export function Segments({ label, options, value, onValue, disabled }: ChoiceProps) {
  const name = useId();
  return (
    <fieldset class="segments" disabled={disabled}>
      <legend class="hidden">{label}</legend>
      {options.map(([one, words, meaning]) => (
        <label key={one} title={meaning}>
          <input type="radio" {...{ name }} checked={one === value} onChange={() => onValue(one)} />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

type CheckProps = Entered<boolean> & { readonly label: string; readonly title?: string };

export function Check({ label, title, value, onValue }: CheckProps) {
  return (
    <label title={title}>
      <input
        type="checkbox"
        checked={value}
        onChange={({ currentTarget }) => onValue(currentTarget.checked)}
      />{' '}
      {label}
    </label>
  );
}
