import { useEffect, useRef } from 'preact/hooks';
import { followReference, type OpenApiDocument } from '#spec';
import type { ViewProps } from '../behaviour/use-behaviour.js';
import { NO_ACCOUNT } from '../connection/call.js';
import { Pre, Words } from '../parts/format.js';
import { Table } from '../parts/table.js';
import { Errors } from '../parts/use-action.js';
import { useKept } from '../parts/use-kept.js';
import {
  type Body,
  type Parameter,
  type PlacedOperation,
  placedOperations,
  useDocument,
} from './document.js';
import { SchemaList, typeOf } from './schema-list.js';
import { TryForm } from './try-form.js';
import { keptOf } from './try-request.js';

export function ReferenceView({ behaviour: { account, value: facts }, route }: ViewProps) {
  const [, , opened] = route;
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
        placedOperations(value).map((placed) => (
          <OperationItem
            key={`${placed.method} ${placed.path}`}
            document={value}
            {...{ placed, account }}
            isOpened={opened !== undefined && opened === placed.operation.operationId}
          />
        ))}
    </>
  );
}

interface OperationProps {
  readonly document: OpenApiDocument;
  readonly placed: PlacedOperation;
  readonly account: string | undefined;
  /** Whether the address names it. */
  readonly isOpened: boolean;
}

function OperationItem({ document, placed, account, isOpened }: OperationProps) {
  const { path, method, operation } = placed;
  const parameters = (operation.parameters ?? []).flatMap(
    (one) => followReference(one, document) ?? [],
  );
  const { requestBody, responses = {} } = operation;
  const { operationId = `${method} ${path}` } = operation;
  const { value: isOpen, onValue: setOpen } = useKept(keptOf(operationId).isOpen, isOpened);
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    // A request was opened here: Enter sends it.
    if (isOpened) details.current?.querySelector<HTMLElement>('.try [type="submit"]')?.focus();
  }, [isOpened]);
  return (
    <details
      ref={details}
      class="panel operation"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <b class="method">{method.toUpperCase()}</b> <code>{path}</code>{' '}
        <span class="faint">
          <Words text={operation.summary} />
        </span>
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
  const { description, content = {} } = followReference(body, document) ?? {};
  return (
    <details key={title}>
      <summary>
        <b>{title}</b> <Words text={description} />
      </summary>
      {Object.entries(content).map(([type, { schema, example, examples = {} }]) => (
        <div key={type}>
          <p class="faint">{type}</p>
          {schema && <SchemaList document={document} schema={schema} />}
          {[example, ...Object.values(examples).map((one) => followReference(one, document)?.value)]
            .filter((one) => one !== undefined)
            .map((one) => (
              <Pre key={JSON.stringify(one)} label={`Example of ${type}`}>
                {JSON.stringify(one, null, 2)}
              </Pre>
            ))}
        </div>
      ))}
    </details>
  );
}
