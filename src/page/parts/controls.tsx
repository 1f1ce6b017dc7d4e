import type { ComponentChildren, ComponentProps } from 'preact';
import { useEffect, useState } from 'preact/hooks';

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
interface Entered<Value> {
  readonly value: Value;
  readonly onValue: (value: Value) => void;
}

/** Keeps what is entered into a field, which takes it as its props. */
export function useEntered<Value>(initial: Value): Entered<Value> {
  const [value, onValue] = useState(initial);
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

/** What can be chosen: its value, and the words that stand for it. */
export type Option = readonly [value: string, words: string];

interface ChoiceProps extends Entered<string> {
  readonly label: ComponentChildren;
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
