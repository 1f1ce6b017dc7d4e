import { varyFields } from '../billing/fields-by-decision.js';
import type { Operation, OperationId, OperationInput } from '../billing/operation.js';
import { OPERATIONS } from '../billing/operation-table.js';
import { ProblemError } from '../errors/problem-error.js';
import { valuesOfPath } from '../openapi/route-table.js';
import type { Replaced } from '../store/collection.js';
import { fillStub, type SentValues } from '../stubs/fill-stub.js';
import { refersTo } from '../stubs/placeholder-syntax.js';
import type { Stub } from '../stubs/stub.js';
import type { Stubs } from '../stubs/stubs.js';
import { percentDecoded } from '../values/received-value.js';
import { type Exchange, requireParts, type Step } from './exchange.js';
import { parseSentBody } from './read-body.js';
import { JSON_TYPE } from './respond.js';

/** Runs the operation. Its result, varied by the decisions, is the response body. */
export const runOperation: Step = (exchange) => {
  if (!exchange.route) return;
  const { route, account, decisions, input, noted } = requireParts(
    exchange,
    'route',
    'account',
    'decisions',
    'input',
    'noted',
  );
  if (account.generation !== exchange.generation) throw outlived();
  const operation = OPERATIONS[route.operationId as OperationId] as Operation<OperationId>;
  const replaced: Replaced[] = [];
  // The judge has checked the input against the document, added its defaults, and converted
  // parameters: from here on `limit` is a number.
  const body = operation.run(
    { account, now: account.clock.now(), decisions, replaced },
    input as unknown as OperationInput<OperationId>,
  );
  if (replaced.length > 0) account.journal.noteReplaced(noted, replaced);
  const varied = varyFields(body, decisions);
  // This decision acts through the document, which lists one success for each operation.
  decisions.apply('success-status');
  exchange.result = { status: route.successStatus, body: varied };
};

/** A request that waited for a fault or its body must not change what a test has reset meanwhile. */
function outlived(): ProblemError {
  return new ProblemError(
    'conflict',
    'The account was reset, restored or closed while this request was under way, so the operation did not run; expected an unchanged account. Send the request again, or wait for its response before you reset the account.',
  );
}

/** Answers from the stub, with values of the request in place of the placeholders. */
export function answerStub(ofServer: Stubs): Step {
  return (exchange) => {
    const { stub, account, platform } = exchange;
    if (!stub) return;
    const turns = account?.stubs ?? ofServer;
    const fill = (sentBody: unknown) => {
      const sent = sentValues(exchange, stub, sentBody);
      const { status, headers, body } = fillStub(stub, turns.responseOf(stub), sent, platform.sign);
      turns.countResponse(stub);
      const type = body === undefined ? {} : { 'Content-Type': JSON_TYPE };
      exchange.ready = { status, headers: { ...type, ...headers }, body };
    };
    // The body is parsed only if a placeholder refers to it.
    if (refersTo('body', stub)) return parseSentBody(exchange).then(fill);
    fill({});
  };
}

function sentValues({ path, query }: Exchange, stub: Stub, body: unknown): SentValues {
  const values = Object.entries(valuesOfPath(stub.path, path));
  return {
    path: Object.fromEntries(values.map(([name, value]) => [name, percentDecoded(value)])),
    query: Object.fromEntries(new URLSearchParams(query)),
    body,
  };
}
