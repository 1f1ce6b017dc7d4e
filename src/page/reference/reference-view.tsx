import { call } from '../connection/call.js';
import { Errors } from '../parts/errors.js';
import { useLoaded } from '../parts/use-loaded.js';
import type { Situation } from '../situation/use-situation.js';
import { type OpenApiDocument, operationsOf } from './document.js';
import { OperationItem } from './operation-item.js';

interface ReferenceProps {
  /** The account whose document it is; that of a new one if there is none. */
  readonly account: string | undefined;
  readonly situation: Situation;
}

/** The document in force for the account: it follows the decisions. */
export function ReferenceView({ account, situation }: ReferenceProps) {
  const decisions = JSON.stringify(situation.facts?.decisions.map(({ value }) => value));
  const query = account === undefined ? '?of=server' : '';
  const { value, error } = useLoaded(
    () => call<OpenApiDocument>(`/openapi.json${query}`, { account }),
    `${account} ${decisions}`,
  );
  return (
    <>
      <h2>{value ? `${value.info.title} ${value.info.version}` : 'API'}</h2>
      <p class="faint">
        The OpenAPI document under the decisions of {account ? 'this' : 'a new'} account. Each
        operation can be tried below.
      </p>
      <Errors sentences={[error]} />
      {value &&
        operationsOf(value).map((placed) => (
          <OperationItem key={`${placed.method} ${placed.path}`} document={value} {...placed} />
        ))}
    </>
  );
}
