import type { Accounts } from '../accounts/accounts.js';
import { type Exchange, known, type Step } from '../service/exchange.js';
import { respond, respondJson } from '../service/leave.js';
import { collectionOf } from './control-document.js';
import { JsonPieces } from './json-pieces.js';
import type {
  ControlContext,
  ControlInput,
  ControlOperation,
  ControlOperationId,
} from './operations/control-operation.js';
import { CONTROL_OPERATIONS } from './operations/index.js';
import { serverOperationOf, tokenNamed } from './select-account.js';

/** What operations read, apart from the account, and the accounts of the server. */
type Parts = Omit<ControlContext, 'account' | 'run'> & { readonly accounts: Accounts };

/** Runs an operation on an account, or on the server as a whole, and answers with what it returns. */
export function runControlOperation(parts: Parts): Step {
  return (exchange) => {
    const result = resultOf(exchange, parts);
    if (!(result instanceof Promise)) return answer(exchange, result);
    return result.then((body) => answer(exchange, body));
  };
}

function resultOf(exchange: Exchange, { accounts, ...parts }: Parts): object | Promise<object> {
  const { input, route } = known(exchange, 'input', 'route');
  const server = serverOperationOf(exchange);
  if (server) {
    return server(accounts, { query: input.query, token: () => tokenNamed(exchange, accounts) });
  }
  // The judge has checked what the document's types promise of the input of this operationId.
  const operation = CONTROL_OPERATIONS[route.operationId as ControlOperationId] as ControlOperation;
  const context: ControlContext = {
    ...parts,
    run: exchange.platform.run,
    // An operation on the journal or the stubs of the server reads none.
    get account() {
      return known(exchange, 'account').account;
    },
  };
  const path = { ...input.path, collection: collectionOf(route.operation) };
  return operation(context, { ...input, path } as unknown as ControlInput);
}

function answer(exchange: Exchange, body: object): void {
  const { route, specification } = known(exchange, 'route', 'specification');
  const { template, successStatus } = route;
  if (body instanceof JsonPieces) {
    respond(exchange, successStatus, body.headers, body.content());
    return;
  }
  specification.judge.response({ template, method: exchange.method }, successStatus, body);
  respondJson(exchange, successStatus, body);
}
