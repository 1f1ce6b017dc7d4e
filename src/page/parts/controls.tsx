import type { ComponentChildren, ComponentProps } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

/** A button of the page, which sends no form. */
export function Button(props: ComponentProps<'button'>) {
  return <button type="button" {...props} />;
}

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { readonly onSubmit: () => void };

/** Fields that are sent together by a button or Enter; the page stays. */
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

/** What is entered, and what keeps it. */
export interface Entered<Value> {
  readonly value: Value;
  readonly onValue: (value: Value) => void;
}

/** What was entered or received, by its name: no change of the view or the account takes it away. */
const kept = new Map<string, unknown>();

const nameInTab = (name: string) => `usage-billing-mock kept ${name}`;

/** What is kept under a name in this tab, over a reload too. */
export function readKept<Value>(name: string, initial: Value): Value {
  if (kept.has(name)) return kept.get(name) as Value;
  const text = sessionStorage.getItem(nameInTab(name));
  return text === null ? initial : JSON.parse(text);
}

/** Keeps a value of JSON under a name; undefined for none. */
export function keep(name: string, value: unknown): void {
  kept.set(name, value);
  if (value === undefined) kept.delete(name);
  try {
    if (value === undefined) sessionStorage.removeItem(nameInTab(name));
    else sessionStorage.setItem(nameInTab(name), JSON.stringify(value));
  } catch {
    // What the tab has no room for is lost by a reload.
    sessionStorage.removeItem(nameInTab(name));
  }
}

/** State that is kept under its name until the tab is closed, also when nothing shows it. */
export function useKept<Value>(name: string, initial: Value) {
  const [value, setValue] = useState(() => readKept(name, initial));
  const change = (next: Value) => {
    keep(name, next);
    setValue(() => next);
  };
  return [value, change] as const;
}

/** Keeps what is entered into a field, which takes it as its props. */
export function useEntered<Value>(name: string, initial: Value): Entered<Value> {
  const [value, onValue] = useKept(name, initial);
  return { value, onValue };
}

/** How long nothing is typed before it counts. */
const SETTLED_MS = 250;

/** What is typed, once nothing more is. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}

type TextProps = Entered<string> & ComponentProps<'input'> & { readonly label: string };

/** A line of text behind its label. */
export function TextField({ label, onValue, ...attributes }: TextProps) {
  return (
    <label>
      {label}{' '}
      <input {...attributes} onInput={({ currentTarget }) => onValue(currentTarget.value)} />
    </label>
  );
}

/** Searches what the view shows; the key `/` leads to it. */
export function SearchField(entered: Entered<string> & { readonly label: string }) {
  const { label, ...others } = entered;
  return (
    <TextField label="" aria-label={label} placeholder="Search ( / )" type="search" {...others} />
  );
}

type JsonProps = Entered<string> & { readonly label: string; readonly rows: number };

/** Lines of JSON below their label. */
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

/** What can be chosen: its value, the words that stand for it, and what it means. */
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

/** One of several values. */
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

/** One of a few values, all of which are seen. */
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

/** Something that is so or not. */
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
