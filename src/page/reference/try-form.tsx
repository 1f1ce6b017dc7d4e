import { parseJson } from '../../core/values/parse-json.js';
import { EXAMPLE_TOKEN, fetchFromMock, SERVICE_URL } from '../connection/call.js';
import { TextArea, TextField } from '../parts/controls.js';
import { Form } from '../parts/form.js';
import { formatJson, Pre } from '../parts/format.js';
import { mistakesIn } from '../parts/use-action.js';
import { useKept } from '../parts/use-kept.js';
import type { Parameter, PlacedOperation } from './document.js';
import { keptOf } from './try-request.js';

interface TryProps extends PlacedOperation {
  readonly parameters: readonly Parameter[];
  readonly account: string | undefined;
}

export function TryForm(props: TryProps) {
  const { path, method, parameters, operation, account } = props;
  const { operationId = `${method} ${path}`, requestBody } = operation;
  const example =
    requestBody && 'content' in requestBody && requestBody.content['application/json']?.example;
  const kept = keptOf(operationId);
  const token = useKept(kept.token, '');
  const { value: values, onValue: setValues } = useKept(kept.values, examplesOf(parameters));
  const body = useKept(kept.body, example ? JSON.stringify(example, null, 2) : '');
  const { value: received, onValue: setReceived } = useKept<
    Awaited<ReturnType<typeof receive>> | undefined
  >(kept.received, undefined);
  const documented = parameters.map(({ name }) => name);
  const others = Object.keys(values).filter((name) => !documented.includes(name));
  const url = urlOf(path, parameters, values, others);
  const send = async () => {
    const headers = {
      // The page knows no tokens; the id of an account works in place of its token.
      Authorization: `Bearer ${token.value || (account ?? EXAMPLE_TOKEN)}`,
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
    <Form class="try" onSubmit={send} mistakes={received?.mistakes ?? []}>
      <h3>Try it</h3>
      <div class="bar">
        <TextField
          label="Token"
          placeholder={account ? 'this account' : EXAMPLE_TOKEN}
          title="Enter a token to use another account"
          {...token}
        />
        {[...parameters, ...others.map((name): Parameter => ({ name, in: 'query' }))].map(
          ({ name, required }) => (
            <TextField
              key={name}
              label={name}
              name={`/${name}`}
              value={values[name] ?? ''}
              required={required}
              onValue={(value) => setValues({ ...values, [name]: value })}
            />
          ),
        )}
      </div>
      {requestBody && <TextArea label="Body" name="" rows={5} {...body} />}
      <p class="bar">
        <button type="submit">Send</button> <code class="wrap">{url.href}</code>
      </p>
      {received && (
        <section aria-label="Response">
          <p role="status">{received.status}</p>
          <Pre label="Body of the response">{received.text}</Pre>
          <details>
            <summary>Headers</summary>
            <Pre label="Headers of the response">{received.headers}</Pre>
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

function urlOf(
  path: string,
  parameters: readonly Parameter[],
  values: Record<string, string>,
  others: readonly string[],
) {
  const filledIn = (name: string) => encodeURIComponent(values[name] ?? '');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name) => filledIn(name));
  const url = new URL(filled.slice(1), SERVICE_URL);
  for (const { name, in: place } of parameters)
    if (place === 'query' && values[name]) url.searchParams.set(name, values[name]);
  for (const name of others) url.searchParams.set(name, values[name] ?? '');
  return url;
}

async function receive(url: URL, init: RequestInit) {
  const startedAtMs = performance.now();
  const response = await fetchFromMock(url, init);
  const text = await response.text();
  const durationMs = Math.round(performance.now() - startedAtMs);
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return {
    status: `${response.status} ${response.statusText} in ${durationMs} ms`,
    headers,
    text: formatJson(text),
    mistakes: response.ok ? [] : mistakesIn(problemIn(text)),
  };
}

function problemIn(text: string): Parameters<typeof mistakesIn>[0] {
  try {
    return Object(parseJson(text));
  } catch {
    return {};
  }
}
