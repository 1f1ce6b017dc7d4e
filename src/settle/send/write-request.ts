import { OPERATIONS } from '../../billing/operations/index.js';
import { createRouteTable, type OpenApiDocument } from '../../openapi/route-table.js';
import { packageVersion } from '../../server/package-files.js';
import { describeCall } from '../evidence.js';
import type { Call } from '../exchange.js';
import { CallFailed } from './call-failed.js';
import type { Target } from './target.js';
import type { OutgoingRequest } from './transport.js';

/** The tokens of calls; `unknown` is that of a recording, and is never sent. */
export type Tokens = Readonly<Record<'given' | 'made-up', string>>;

/** The records that calls may change, if any. */
export interface Allowed {
  readonly allowWrites: boolean;
  readonly scratchContracts: readonly string[];
}

/** Creates what writes a call as a request, by the paths and methods of the document. */
export function createWriteRequest(
  document: OpenApiDocument,
  { origin, prefix }: Target,
  tokens: Tokens,
  allowed: Allowed,
): (call: Call) => OutgoingRequest {
  const { paths } = createRouteTable(document, Object.keys(OPERATIONS));
  const places = new Map(
    paths.flatMap(({ template, routes }) =>
      [...routes]
        .filter(([method]) => method !== 'HEAD')
        .map(([method, { operationId }]) => [operationId, { template, method }] as const),
    ),
  );
  return (call) => {
    const { template = '', method = 'GET' } = places.get(call.operationId) ?? {};
    if (method !== 'GET') refuseUnlessAllowed(call, allowed);
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => segmentOf(call, name));
    const query = call.query.map((pair) => pair.map(encode).join('=')).join('&');
    return {
      url: `${origin}${prefix}${path}${query === '' ? '' : `?${query}`}`,
      method,
      headers: headersOf(call, tokens),
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
    };
  };
}

/** A probe that asks for more than was allowed has a defect, and must not get through. */
function refuseUnlessAllowed(call: Call, { allowWrites, scratchContracts }: Allowed): void {
  const { contractId } = call.path;
  const isNamed = contractId === undefined || scratchContracts.includes(contractId);
  if (!allowWrites || !isNamed) throw new Error(`${describeCall(call)} is not allowed.`);
}

function headersOf({ token, body }: Call, tokens: Tokens): Record<string, string> {
  return {
    Accept: 'application/json',
    'User-Agent': `usage-billing-mock/${packageVersion()} (settle)`,
    ...((token === 'given' || token === 'made-up') && { Authorization: `Bearer ${tokens[token]}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
}

function segmentOf(call: Call, name: string): string {
  const value = call.path[name] ?? '';
  // A URL would lead to another path with these, and a service chooses the ids that are asked for.
  if (['', '.', '..'].includes(value)) {
    throw new CallFailed(`${describeCall(call)} cannot be sent: a path cannot contain it`, 'none');
  }
  return encode(value);
}

/** Half a surrogate pair has no encoding; as bytes it becomes the replacement character. */
function encode(value: string): string {
  return encodeURIComponent(Buffer.from(value).toString());
}
