import { useState } from 'preact/hooks';
import { answerOf, SERVICE_URL } from '../connection/call.js';
import { Errors } from '../parts/errors.js';
import { useAction } from '../parts/use-action.js';
import type { Operation, Parameter } from './document.js';

interface TryProps {
  readonly path: string;
  readonly method: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: Operation['requestBody'];
}

interface Received {
  readonly status: string;
  readonly headers: string;
  readonly text: string;
}

const TOKEN_KEY = 'usage-billing-mock token to try with';

/** Calls an operation of the service with a token of one's choice; the page knows that of no account. */
export function TryForm({ path, method, parameters, requestBody }: TryProps) {
  const example = requestBody?.content?.['application/json']?.example;
  const [token, setToken] = useState(sessionStorage.getItem(TOKEN_KEY) ?? 'my-token');
  const [values, setValues] = useState<Values>(() => examplesOf(parameters));
  const [body, setBody] = useState(example === undefined ? '' : JSON.stringify(example, null, 2));
  const [received, setReceived] = useState<Received>();
  const action = useAction();
  const url = urlOf(path, parameters, values);
  const send = async () => {
    sessionStorage.setItem(TOKEN_KEY, token);
    setReceived(undefined);
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(requestBody && { 'Content-Type': 'application/json' }),
    };
    const init = { method: method.toUpperCase(), headers, ...(requestBody && { body }) };
    setReceived(await receive(url, init));
  };
  return (
    <form
      class="try"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(send);
      }}
    >
      <h3>Try it</h3>
      <div class="bar">
        <Field name="Token" value={token} isRequired onType={setToken} />
        {parameters.map(({ name, required }) => (
          <Field
            key={name}
            name={name}
            value={values[name] ?? ''}
            isRequired={required === true}
            onType={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
      </div>
      {requestBody && <BodyField body={body} onType={setBody} />}
      <p class="bar">
        <button type="submit">Send</button> <code class="wrap">{url.href}</code>
      </p>
      <Errors sentences={action.errors} />
      {received && <Answer {...received} />}
    </form>
  );
}

type Values = Readonly<Record<string, string>>;

/** What required parameters begin with. */
function examplesOf(parameters: readonly Parameter[]): Values {
  const required = parameters.filter((one) => one.required);
  return Object.fromEntries(required.map(({ name, example }) => [name, String(example ?? '')]));
}

interface FieldProps {
  readonly name: string;
  readonly value: string;
  readonly isRequired: boolean;
  readonly onType: (value: string) => void;
}

function Field({ name, value, isRequired, onType }: FieldProps) {
  return (
    <label>
      {name}{' '}
      <input
        required={isRequired}
        value={value}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </label>
  );
}

interface BodyProps {
  readonly body: string;
  readonly onType: (body: string) => void;
}

function BodyField({ body, onType }: BodyProps) {
  return (
    <label>
      Body
      <textarea
        rows={5}
        spellcheck={false}
        value={body}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </label>
  );
}

function Answer({ status, headers, text }: Received) {
  return (
    <section aria-label="Received">
      <p role="status">{status}</p>
      <pre>{headers}</pre>
      <pre>{text}</pre>
    </section>
  );
}

function urlOf(path: string, parameters: readonly Parameter[], values: Values): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  const url = new URL(filled.slice(1), SERVICE_URL);
  for (const { name, in: place } of parameters) {
    const value = values[name] ?? '';
    if (place === 'query' && value !== '') url.searchParams.set(name, value);
  }
  return url;
}

async function receive(url: URL, init: RequestInit): Promise<Received> {
  const startedAtMs = performance.now();
  const answer = await answerOf(url, init);
  const text = await answer.text();
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const durationMs = Math.round(performance.now() - startedAtMs);
  const status = `${answer.status} ${answer.statusText} in ${durationMs} ms`;
  return { status, headers, text: formatted(text) };
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
