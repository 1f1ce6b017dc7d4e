import { call } from '../connection/call.js';
import { Errors } from '../parts/errors.js';
import { useLoaded } from '../parts/use-loaded.js';
import type { AccountView } from '../view.js';
import type { OpenApiDocument } from './document.js';
import { OperationItem } from './operation-item.js';

/** The document in force for the account: it follows the decisions. */
export function ReferenceView({ account, situation }: AccountView) {
  const decisions = JSON.stringify(situation.facts?.decisions.map(({ value }) => value));
  const { value, error } = useLoaded(
    () => call<OpenApiDocument>('/openapi.json', { account: account.id }),
    `${account.id} ${decisions}`,
  );
  const operations = Object.entries(value?.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  return (
    <>
      <h2>{value ? `${value.info.title} ${value.info.version}` : 'API'}</h2>
      <p class="faint">
        The OpenAPI document under the decisions of this account. Each operation can be tried below.
      </p>
      <Errors sentences={[error]} />
      {value &&
        operations.map(({ path, method, operation }) => (
          <OperationItem
            key={`${method} ${path}`}
            document={value}
            path={path}
            method={method}
            operation={operation}
          />
        ))}
    </>
  );
}
