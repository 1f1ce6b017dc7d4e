import { followReference } from './references.js';
import type { OperationRoute } from './route-table.js';
import { expectationOf } from './schema-in-words.js';
import type { Specification } from './specification-in-force.js';

/** A response that a fault gives in place of the operation's own. */
interface GivenResponse {
  readonly status: number;
  /** Without parameters. */
  readonly mediaType: string;
  /** Undefined if there is no body. */
  readonly body: unknown;
}

/** Why the document does not allow a response of the operation; undefined if it does. */
export function whyNotAllowed(
  { document: { components = {} }, check }: Specification,
  { operationId, operation }: OperationRoute,
  { status, mediaType, body }: GivenResponse,
): string | undefined {
  const { responses = {} } = operation;
  const documented = followReference(responses[status], { components });
  if (!documented) {
    return `The document has no ${status} for ${operationId}; expected ${Object.keys(responses).join(', ')}.`;
  }
  const { content = {} } = documented;
  if (Object.keys(content).length === 0) {
    return body === undefined ? undefined : 'The response has a body; expected none.';
  }
  if (body === undefined) return 'The response has no body; expected a body.';
  const schema = content[mediaType]?.schema;
  if (!schema) {
    return `The Content-Type is '${mediaType}'; expected ${Object.keys(content).join(', ')}.`;
  }
  const [error] = check?.(schema, body) ?? [];
  return error && `'body${error.instancePath}': expected ${expectationOf(error)}.`;
}
