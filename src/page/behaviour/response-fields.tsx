import { contentTypeOf, isJson } from '../../core/values/body-type.js';
import { TextArea, TextField } from '../parts/controls.js';
import { readJson } from '../parts/form.js';
import { MistakenError } from '../parts/use-action.js';
import { type Entered, useKept } from '../parts/use-kept.js';

/** A response as it is typed. */
interface TypedResponse {
  readonly status: Entered<string>;
  readonly headers: Entered<string>;
  readonly body: Entered<string>;
}

/** What is typed for a response, kept under a name. */
export function useTypedResponse(name: string): TypedResponse {
  return {
    status: useKept(`status of ${name}`, ''),
    headers: useKept(`headers of ${name}`, ''),
    body: useKept(`body of ${name}`, ''),
  };
}

export function ResponseFields({ status, headers, body }: TypedResponse) {
  return (
    <>
      <TextField
        label="Status"
        name="/status"
        inputMode="numeric"
        placeholder="200"
        size={6}
        {...status}
      />
      <TextArea
        label="Headers, one a line"
        name="/headers"
        rows={2}
        placeholder="Location: /invoices/1"
        {...headers}
      />
      <TextArea
        label="Body: JSON, or text with its Content-Type"
        name="/body"
        rows={5}
        placeholder='{ "id": "i1" }'
        {...body}
      />
    </>
  );
}

/** The response that is typed; what is left empty is left out. */
export function readResponse({ status, headers, body }: TypedResponse) {
  const typed = status.value.trim();
  const fields = readHeaders(headers.value);
  return {
    ...(typed !== '' && { status: /^\d+$/.test(typed) ? Number(typed) : typed }),
    ...(Object.keys(fields).length > 0 && { headers: fields }),
    ...(body.value.trim() !== '' && { body: readBody(body.value, contentTypeOf(fields)) }),
  };
}

function readHeaders(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const fields = lines.map((line) => /^([^:]+):(.*)$/.exec(line) ?? [line]);
  const mistakes = fields.flatMap(([line, name]) =>
    name === undefined
      ? {
          pointer: '/headers',
          words: `expected a name, a colon and a value; received ${JSON.stringify(line)}.`,
        }
      : [],
  );
  if (mistakes.length > 0) throw new MistakenError(mistakes);
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name.trim(), value.trim()]));
}

function readBody(text: string, contentType: unknown): unknown {
  const advice = 'For a text, give a Content-Type such as text/plain in the headers.';
  return isJson(contentType) ? readJson(text, '/body', advice) : text;
}
