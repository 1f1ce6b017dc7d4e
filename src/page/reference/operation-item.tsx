import { Words } from '../parts/words.js';
import {
  type Answer,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  resolve,
} from './document.js';
import { SchemaList, typeOf } from './schema-list.js';
import { TryForm } from './try-form.js';

interface OperationProps {
  readonly document: OpenApiDocument;
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** One operation: its parameters, its body, every answer, and a form to try it. */
export function OperationItem({ document, path, method, operation }: OperationProps) {
  const parameters = (operation.parameters ?? []).map((one) => resolve(document, one));
  const { requestBody, responses = {} } = operation;
  return (
    <details class="panel operation">
      <summary>
        <b>{method.toUpperCase()}</b> <code>{path}</code> {operation.summary}
      </summary>
      <p>
        <Words text={operation.description} />
      </p>
      {parameters.length > 0 && <Parameters document={document} parameters={parameters} />}
      {requestBody && <Body document={document} title="Body" answer={requestBody} />}
      {Object.entries(responses).map(([status, answer]) => (
        <Body
          key={status}
          document={document}
          title={`Answer ${status}`}
          answer={resolve(document, answer)}
        />
      ))}
      <TryForm path={path} method={method} parameters={parameters} requestBody={requestBody} />
    </details>
  );
}

interface ParametersProps {
  readonly document: OpenApiDocument;
  readonly parameters: readonly Parameter[];
}

function Parameters({ document, parameters }: ParametersProps) {
  return (
    <table>
      <caption>Parameters</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">In</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {parameters.map(({ name, in: place, required, schema, description }) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
              {required && <b> required</b>}
            </td>
            <td>{place}</td>
            <td>{typeOf(document, schema ?? {})}</td>
            <td>
              <Words text={description} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface BodyProps {
  readonly document: OpenApiDocument;
  readonly title: string;
  readonly answer: Answer;
}

function Body({ document, title, answer: { description, content = {} } }: BodyProps) {
  return (
    <details>
      <summary>
        <b>{title}</b> <Words text={description} />
      </summary>
      {Object.entries(content).map(([type, { schema, example, examples = {} }]) => (
        <div key={type}>
          <p class="faint">{type}</p>
          {schema && <SchemaList document={document} schema={schema} />}
          {[example, ...Object.values(examples).map(({ value }) => value)]
            .filter((one) => one !== undefined)
            .map((one) => (
              <pre key={JSON.stringify(one)}>{JSON.stringify(one, null, 2)}</pre>
            ))}
        </div>
      ))}
    </details>
  );
}
