import { useActionState } from 'react';

interface QuestionProps {
  readonly label: string;
  readonly button: string;
  /** What is shown below; the message of its error if it fails. */
  readonly answer: (entered: string) => Promise<string>;
}

/** A field, a button, and what came of it. */
export function Question({ label, button, answer }: QuestionProps) {
  const [shown, submit] = useActionState(
    (_before: unknown, form: FormData) =>
      answer(String(form.get('entered'))).then(
        (text) => <output>{text}</output>,
        ({ message }: Error) => <p role="alert">{message}</p>,
      ),
    undefined,
  );
  return (
    <form action={submit}>
      <label>
        {label} <input name="entered" />
      </label>
      <button type="submit">{button}</button>
      {shown}
    </form>
  );
}
