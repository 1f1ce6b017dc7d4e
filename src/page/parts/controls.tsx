import type { ComponentChildren, ComponentProps } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { ROUTES } from '#spec';
import { useField } from './form.js';
import type { Entered } from './use-kept.js';

/** A button that submits no form. */
export function Button(props: ComponentProps<'button'>) {
  return <button type="button" {...props} />;
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

interface FieldProps extends Entered<string> {
  readonly label: string;
  /** In a form: the JSON pointer to the value in what is sent. */
  readonly name?: string;
}

type TextProps = FieldProps & ComponentProps<'input'>;

/** A field for a line of text; its `title` says what it takes. */
export function TextField({ label, name, onValue, ...attributes }: TextProps) {
  const field = useField(name, label || String(attributes['aria-label']));
  return (
    <>
      <label>
        {label}{' '}
        <input
          {...attributes}
          {...field.attributes}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      </label>
      {field.message}
    </>
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

type AreaProps = FieldProps & { readonly rows: number; readonly placeholder?: string };

/** A field for several lines, such as JSON. */
export function TextArea({ label, name, onValue, ...attributes }: AreaProps) {
  const field = useField(name, label);
  return (
    <>
      <label class="wide">
        {label}
        <textarea
          {...attributes}
          {...field.attributes}
          spellcheck={false}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      </label>
      {field.message}
    </>
  );
}

export type Option = readonly [
  value: string,
  words: ComponentChildren,
  meaning?: string | undefined,
];

/** The operations of the service, as options. */
export const OPERATIONS = Object.keys(ROUTES).map((id): Option => [id, id]);

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
