import { useState } from 'preact/hooks';
import { answerOf, SERVICE_URL } from '../connection/call.js';
import { Errors } from '../parts/errors.js';
import { useAction } from '../parts/use-action.js';
import type { OpenApiDocument, Operation, Parameter } from './document.js';

interface TryProps {
  readonly document: OpenApiDocument;
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
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(
      parameters
        .filter(({ required }) => required)
        .map(({ name, example: value }) => [name, String(value ?? '')]),
    ),
  );
  const [body, setBody] = useState(example === undefined ? '' : JSON.stringify(example, null, 2));
  const [received, setReceived] = useState<Received>();
  const action = useAction();
  const url = urlOf(path, parameters, values);
  const send = async () => {
    sessionStorage.setItem(TOKEN_KEY, token);
    setReceived(undefined);
    setReceived(
      await receive(url, {
        method: method.toUpperCase(),
        headers: {
          Authorization: `Bearer ${token}`,
          ...(requestBody && { 'Content-Type': 'application/json' }),
        },
        ...(requestBody && { body }),
      }),
    );
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
        <label>
          Token{' '}
          <input
            size={14}
            value={token}
            required
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        {parameters.map(({ name, required }) => (
          <label key={name}>
            {name}{' '}
            <input
              size={16}
              required={required === true}
              value={values[name] ?? ''}
              onInput={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value })}
            />
          </label>
        ))}
      </div>
      {requestBody && (
        <label>
          Body
          <textarea
            rows={5}
            spellcheck={false}
            value={body}
            onInput={({ currentTarget }) => setBody(currentTarget.value)}
          />
        </label>
      )}
      <p class="bar">
        <button type="submit">Send</button> <code class="wrap">{url.href}</code>
      </p>
      <Errors sentences={action.errors} />
      {received && (
        <section aria-label="Received">
          <p role="status">{received.status}</p>
          <pre>{received.headers}</pre>
          <pre>{received.text}</pre>
        </section>
      )}
    </form>
  );
}

function urlOf(
  path: string,
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
): URL {
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
