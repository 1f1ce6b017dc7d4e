import { useRef } from 'preact/hooks';
import { Form, useField } from './form.js';

interface FileProps {
  readonly label: string;
  /** Throws what is wrong with the file. */
  readonly onFile: (file: File) => Promise<unknown>;
  readonly onDone: () => void;
}

/** A button that asks for a file in JSON, which is submitted as soon as it is chosen. */
export function FileForm({ label, onFile, onDone }: FileProps) {
  const chosen = useRef<File>(undefined);
  return (
    <Form class="bar" onSubmit={() => chosen.current && onFile(chosen.current)} onDone={onDone}>
      <FileField
        label={label}
        onFile={(file, form) => {
          chosen.current = file;
          form?.requestSubmit();
        }}
      />
    </Form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly onFile: (file: File, form: HTMLFormElement | null) => void;
}

function FileField({ label, onFile }: FieldProps) {
  const field = useField('', label);
  return (
    <>
      <label class="button">
        {label}
        <input
          {...field.attributes}
          type="file"
          class="hidden"
          accept=".json"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            // Allow the same file to be chosen again.
            currentTarget.value = '';
            if (file) onFile(file, currentTarget.form);
          }}
        />
      </label>
      {field.message}
    </>
  );
}
