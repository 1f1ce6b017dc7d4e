import { fetchFromMock, SERVICE_URL } from '../connection/call.js';
import { Form, JsonField, TextField, useEntered, useKept } from '../parts/controls.js';
import { formatJson } from '../parts/format.js';
import { Errors, useAction } from '../parts/use-action.js';
import type { Parameter, PlacedOperation } from './document.js';

/** The token to send if there is no account yet. */
const TOKEN = 'my-token';

interface TryProps extends PlacedOperation {
  readonly parameters: readonly Parameter[];
  readonly account: string | undefined;
}

export function TryForm(props: TryProps) {
  const { path, method, parameters, operation, account } = props;
  const { requestBody } = operation;
  const example = requestBody?.content?.['application/json']?.example;
  const name = `${method} ${path}`;
  const token = useEntered('token to try with', '');
  const [values, setValues] = useKept(`parameters of ${name}`, examplesOf(parameters));
  const body = useEntered(
    `body of ${name}`,
    example === undefined ? '' : JSON.stringify(example, null, 2),
  );
  const [received, setReceived] = useKept<Awaited<ReturnType<typeof receive>> | undefined>(
    `received by ${name}`,
    undefined,
  );
  const action = useAction();
  const url = urlOf(path, parameters, values);
  const send = async () => {
    const headers = {
      // The page knows no tokens; the id of an account works in place of its token.
      Authorization: `Bearer ${token.value || (account ?? TOKEN)}`,
      ...(requestBody && { 'Content-Type': 'application/json' }),
    };
    const init = {
      method: method.toUpperCase(),
      headers,
      ...(requestBody && { body: body.value }),
    };
    setReceived(await receive(url, init));
  };
  return (
    <Form class="try" onSubmit={() => action.run(send)}>
      <h3>Try it</h3>
      <div class="bar">
        <TextField
          label="Token"
          placeholder={account ? 'this account' : TOKEN}
          title="Enter a token to use another account"
          {...token}
        />
        {parameters.map(({ name, required }) => (
          <TextField
            key={name}
            label={name}
            value={values[name] ?? ''}
            required={required}
            onValue={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
      </div>
      {requestBody && <JsonField label="Body" rows={5} {...body} />}
      <p class="bar">
        <button type="submit">Send</button> <code class="wrap">{url.href}</code>
      </p>
      <Errors sentences={action.errors} />
      {received && (
        <section aria-label="Response">
          <p role="status">{received.status}</p>
          <pre>{received.text}</pre>
          <details>
            <summary>Headers</summary>
            <pre>{received.headers}</pre>
          </details>
        </section>
      )}
    </Form>
  );
}

function examplesOf(parameters: readonly Parameter[]): Record<string, string> {
  const required = parameters.filter((one) => one.required);
  return Object.fromEntries(required.map(({ name, example }) => [name, String(example ?? '')]));
}

function urlOf(path: string, parameters: readonly Parameter[], values: Record<string, string>) {
  const filledIn = (name: string) => encodeURIComponent(values[name] ?? '');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name) => filledIn(name));
  const url = new URL(filled.slice(1), SERVICE_URL);
  for (const { name, in: place } of parameters)
    if (place === 'query' && values[name]) url.searchParams.set(name, values[name]);
  return url;
}

async function receive(url: URL, init: RequestInit) {
  const startedAtMs = performance.now();
  const response = await fetchFromMock(url, init);
  const text = formatJson(await response.text());
  const durationMs = Math.round(performance.now() - startedAtMs);
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return { status: `${response.status} ${response.statusText} in ${durationMs} ms`, headers, text };
}
