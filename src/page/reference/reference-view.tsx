import type { Behaviour } from '../behaviour/use-behaviour.js';
import { NO_ACCOUNT } from '../connection/call.js';
import { useKept } from '../parts/controls.js';
import { Words } from '../parts/format.js';
import { Table } from '../parts/table.js';
import { Errors } from '../parts/use-action.js';
import {
  type Body,
  type OpenApiDocument,
  operationsOf,
  type Parameter,
  type PlacedOperation,
  resolve,
  useDocument,
} from './document.js';
import { SchemaList, typeOf } from './schema-list.js';
import { TryForm } from './try-form.js';

export function ReferenceView({ behaviour: { account, value: facts } }: { behaviour: Behaviour }) {
  const decisions = JSON.stringify(facts?.decisions.map(({ value }) => value));
  const { value, error } = useDocument(account ?? NO_ACCOUNT, decisions);
  return (
    <>
      <h2>{value ? `${value.info.title} ${value.info.version}` : 'API'}</h2>
      <p class="faint">
        The OpenAPI document under the decisions of {account ? 'this' : 'a new'} account. Open an
        operation to try it.
      </p>
      <Errors sentences={[error]} />
      {value &&
        operationsOf(value).map((placed) => (
          <OperationItem
            key={`${placed.method} ${placed.path}`}
            document={value}
            {...{ placed, account }}
          />
        ))}
    </>
  );
}

interface OperationProps {
  readonly document: OpenApiDocument;
  readonly placed: PlacedOperation;
  readonly account: string | undefined;
}

function OperationItem({ document, placed, account }: OperationProps) {
  const { path, method, operation } = placed;
  const parameters = (operation.parameters ?? []).map((one) => resolve(document, one));
  const { requestBody, responses = {} } = operation;
  const [isOpen, setOpen] = useKept(`${method} ${path} is open`, false);
  return (
    <details
      class="panel operation"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <b class="method">{method.toUpperCase()}</b> <code>{path}</code>{' '}
        <span class="faint">{operation.summary}</span>
      </summary>
      <p>
        <Words text={operation.description} />
      </p>
      {parameters.length > 0 && (
        <Table
          caption={<caption>Parameters</caption>}
          columns={[
            ['Name', nameOf],
            ['In', ({ in: place }) => place],
            ['Type', ({ schema = {} }) => typeOf(document, schema)],
            ['Description', ({ description }) => <Words text={description} />],
          ]}
          rows={parameters}
          keyOf={({ name }) => name}
        />
      )}
      {requestBody && bodyItem(document, 'Body', requestBody)}
      {Object.entries(responses).map(([status, response]) =>
        bodyItem(document, `Response ${status}`, response),
      )}
      <TryForm {...placed} {...{ parameters, account }} />
    </details>
  );
}

function nameOf({ name, required }: Parameter) {
  return (
    <>
      <code>{name}</code>
      {required && <b> required</b>}
    </>
  );
}

function bodyItem(document: OpenApiDocument, title: string, body: Body) {
  const { description, content = {} } = resolve(document, body);
  return (
    <details key={title}>
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
