import { type ComponentChildren, type ComponentProps, createContext } from 'preact';
import { useContext, useEffect, useId, useMemo, useRef } from 'preact/hooks';
import { changedNumbers, mistakeOfNumber } from '../../core/values/exact-numbers.js';
import { describeMistake } from '../../core/values/mistake.js';
import { parseJson } from '../../core/values/parse-json.js';
import { Errors, inWords, type Mistake, MistakenError, useAction } from './use-action.js';

interface Mistaken {
  readonly mistakes: readonly Mistake[];
  /** The names of the fields, at which their mistakes are shown. */
  readonly names: Set<string>;
}

const Context = createContext<Mistaken | undefined>(undefined);

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** Throws what is wrong with the values, or what the mock refuses. */
  readonly onSubmit: () => unknown;
  readonly onDone?: () => void;
  /** What is wrong with what was submitted before. */
  readonly mistakes?: readonly Mistake[];
  readonly children: ComponentChildren;
}

/**
 * A form whose button, or Enter, calls `onSubmit` instead of leaving the page. Each mistake is told
 * at its field, which gets the focus; any other, at the end of the form.
 */
export function Form({ onSubmit, onDone, mistakes: before, children, ...attributes }: FormProps) {
  const action = useAction(onDone);
  const form = useRef<HTMLFormElement>(null);
  const names = useMemo(() => new Set<string>(), []);
  const { mistakes: own } = action;
  const context = useMemo(
    () => ({ names, mistakes: [...own, ...(before ?? [])] }),
    [own, before?.map(inWords).join()],
  );
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [context]);
  return (
    <form
      {...attributes}
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const fields = [...event.currentTarget.elements];
        if (action.isRunning) return;
        void action.run(async () => {
          refuseInvalid(fields);
          await onSubmit();
        });
      }}
    >
      <Context.Provider value={context}>
        {children}
        <OtherMistakes />
      </Context.Provider>
    </form>
  );
}

/** Throws if a field has not the value that its attributes ask for. */
function refuseInvalid(fields: readonly Element[]): void {
  const mistakes = fields.flatMap((field): Mistake[] => {
    if (!(field instanceof HTMLInputElement) || field.validity.valid) return [];
    const { name, value, title } = field;
    const received = value === '' ? 'nothing' : JSON.stringify(value);
    return [{ pointer: name, words: `expected ${title || 'a value'}; received ${received}.` }];
  });
  if (mistakes.length > 0) throw new MistakenError(mistakes);
}

function OtherMistakes() {
  const { names = [], mistakes = [] } = useContext(Context) ?? {};
  const others = mistakes.filter((one) => ![...names].some((name) => isOf(name, one)));
  return <Errors sentences={others.map(inWords)} />;
}

/** Whether a mistake is of a field: in its value, or in a member of it. */
function isOf(name: string, { pointer }: Mistake): boolean {
  return pointer !== undefined && `${pointer}/`.startsWith(`${name}/`);
}

/**
 * What a field of a form adds to its control, and the mistakes to show after it. Its name is the
 * JSON pointer to its value in what is sent.
 */
export function useField(name: string | undefined, label: string) {
  const { names, mistakes = [] } = useContext(Context) ?? {};
  const id = useId();
  // Not in an effect: the other mistakes, which are drawn after the fields, must know it at once.
  if (name !== undefined) names?.add(name);
  useEffect(() => () => void names?.delete(name ?? ''), [names, name]);
  if (name === undefined) return { attributes: {}, message: undefined };
  const own = mistakes.filter((one) => isOf(name, one));
  const sentences = own.map(
    ({ pointer = '', words }) =>
      `${label}${pointer.slice(name.length).replace('/', ' /')}: ${words}`,
  );
  if (sentences.length === 0) return { attributes: { name }, message: undefined };
  return {
    attributes: { name, 'aria-invalid': true, 'aria-describedby': id },
    message: (
      <span id={id} class="error mistaken">
        {sentences.join('\n')}
      </span>
    ),
  };
}

/** The JSON of a field; throws a mistake at the field if its text is none. */
export function readJson(text: string, pointer: string, advice = ''): unknown {
  try {
    const value = parseJson(text);
    const [changed] = changedNumbers(text);
    if (changed === undefined) return value;
    const words = describeMistake(mistakeOfNumber(changed));
    throw new MistakenError([{ pointer, words }]);
  } catch (error) {
    if (error instanceof MistakenError) throw error;
    const words = `this cannot be read as JSON: ${(error as Error).message}. ${advice}`;
    throw new MistakenError([{ pointer, words }]);
  }
}
