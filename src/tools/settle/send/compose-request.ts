import { randomUUID } from 'node:crypto';
import { ROUTES } from '#spec';
import { memberOf } from '../../../core/values/json-value.js';
import { packageVersion } from '../../../host/server/package-files.js';
import { describeRequest } from '../seen/evidence.js';
import { isRandom, MADE_UP_REF, MADE_UP_TOKEN, randomLookupLike } from '../seen/made-up-values.js';
import type { SampleRequest } from '../seen/samples.js';
import type { CompleteServiceOptions } from '../settle-options.js';
import { CallFailed } from './call-failed.js';
import type { OutgoingRequest } from './transport.js';

type Tokens = Readonly<Partial<Record<SampleRequest['token'], string | undefined>>>;

export function createComposer(
  options: CompleteServiceOptions,
  base: string,
): (request: SampleRequest) => OutgoingRequest {
  const madeUp = () => `${MADE_UP_TOKEN}${randomUUID()}`;
  const tokens: Tokens = {
    given: options.token,
    'made-up': madeUp(),
    // A token without letters and digits has no random one of its form.
    alike: randomLookupLike(options.token, randomUUID(), 0) ?? madeUp(),
  };
  return (request) => {
    const { body } = request;
    const [method = '', template = ''] = ROUTES[request.operationId].split(' ');
    if (method !== 'GET') refuseUnlessAllowed(request, options);
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => segmentOf(request, name));
    const query = request.query.map((pair) => pair.map(encode).join('=')).join('&');
    return {
      url: `${base}${path}${query === '' ? '' : `?${query}`}`,
      method,
      headers: headersOf(request, tokens),
      body: body === undefined ? null : JSON.stringify(body),
    };
  };
}

/** Stops a defective probe from changing more than the user allowed. */
function refuseUnlessAllowed(
  { path, body, ...request }: SampleRequest,
  { allowWrites, scratchContracts, scratchRefs }: CompleteServiceOptions,
): void {
  const refs = memberOf(body, 'refs');
  const named = [path.contractId ?? [], refs ?? []].flat();
  const isHarmless = (one: unknown) =>
    [...scratchContracts, ...scratchRefs, MADE_UP_REF].includes(String(one)) ||
    isRandom(String(one));
  if (allowWrites && named.every(isHarmless)) return;
  throw new Error(`${describeRequest({ path, body, ...request })} is not allowed.`);
}

function headersOf({ token, body }: SampleRequest, tokens: Tokens): Record<string, string> {
  return {
    Accept: 'application/json',
    'User-Agent': `usage-billing-mock/${packageVersion()} (settle)`,
    // `none` has no token, and recorded requests are never sent.
    ...(tokens[token] !== undefined && { Authorization: `Bearer ${tokens[token]}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
}

function segmentOf(request: SampleRequest, name: string): string {
  const value = request.path[name] ?? '';
  // An id may come from the service; an empty or dot segment would change the path.
  if (['', '.', '..'].includes(value)) {
    const reason = `${describeRequest(request)} cannot be sent: a path cannot contain the value`;
    throw new CallFailed(reason, 'none');
  }
  return encode(value);
}

/** Replaces lone surrogates with U+FFFD: `encodeURIComponent` throws for them. */
function encode(value: string): string {
  return encodeURIComponent(Buffer.from(value).toString());
}
