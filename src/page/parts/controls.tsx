import type { ComponentChildren, ComponentProps } from 'preact';

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

type TextFieldProps = ComponentProps<'input'> & {
  readonly label: string;
  readonly value: string;
  readonly onType: (text: string) => void;
};

/** A line of text behind its label. */
export function TextField({ label, onType, ...attributes }: TextFieldProps) {
  return (
    <label>
      {label} <input {...attributes} onInput={({ currentTarget }) => onType(currentTarget.value)} />
    </label>
  );
}

type JsonFieldProps = Pick<TextFieldProps, 'label' | 'value' | 'onType'> & {
  readonly rows: number;
};

/** Lines of JSON below their label. */
export function JsonField({ label, rows, value, onType }: JsonFieldProps) {
  return (
    <label>
      {label}
      <textarea
        rows={rows}
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </label>
  );
}

/** What can be chosen: its value, and the words that stand for it. */
export type Option = readonly [value: string, words: ComponentChildren];

interface ChoiceProps {
  readonly label: ComponentChildren;
  readonly value: string;
  readonly options: readonly Option[];
  readonly disabled?: boolean;
  readonly onChoose: (value: string) => void;
}

/** One of several values. */
export function Choice({ label, value, options, disabled, onChoose }: ChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select
        value={value}
        disabled={disabled}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly title?: string;
  readonly onCheck: (checked: boolean) => void;
}

/** Something that is so or not. */
export function Check({ label, checked, title, onCheck }: CheckProps) {
  return (
    <label title={title}>
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
      />{' '}
      {label}
    </label>
  );
}
