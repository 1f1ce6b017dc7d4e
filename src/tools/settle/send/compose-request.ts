import { randomUUID } from 'node:crypto';
import { ROUTES } from '#spec';
import { memberOf } from '../../../core/values/json-value.js';
import { packageVersion } from '../../../host/server/documents/package-files.js';
import { describeRequest } from '../seen/evidence.js';
import { isRandom, MADE_UP_REF, MADE_UP_TOKEN, randomLookupLike } from '../seen/made-up-values.js';
import type { SampleRequest } from '../seen/samples.js';
import type { CompleteServiceOptions } from '../settle-options.js';
import { CallFailed } from './call-failed.js';

export function createComposer(options: CompleteServiceOptions, base: string) {
  const madeUp = () => `${MADE_UP_TOKEN}${randomUUID()}`;
  const tokens: Readonly<Partial<Record<SampleRequest['token'], string>>> = {
    given: options.token,
    'made-up': madeUp(),
    alike: halfOf(options.token),
  };
  return (request: SampleRequest): Request => {
    const { body } = request;
    const { [request.token]: token } = tokens;
    const [method = ''] = ROUTES[request.operationId].split(' ');
    if (method !== 'GET') refuseUnlessAllowed(request, options);
    refuseOddSegments(request);
    return new Request(`${base}${targetOf(request)}`, {
      method,
      headers: {
        Accept: 'application/json',
        'User-Agent': `usage-billing-mock/${packageVersion()} (settle)`,
        // `none` has no token, and recorded requests are never sent.
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
    });
  };
}

/** A token that shares its first half with a token: a service must compare all of it. */
function halfOf(token: string): string {
  const half = token.slice(0, token.length / 2);
  const rest = token.slice(half.length).replaceAll(/[^A-Za-z\d]/g, '') || 'a';
  return String(randomLookupLike(`${half}-${rest}`, randomUUID(), half.length + 1));
}

/** Stops a defective probe from changing more than the user allowed. */
function refuseUnlessAllowed(request: SampleRequest, options: CompleteServiceOptions): void {
  const { allowWrites, scratchContracts, scratchRefs } = options;
  const harmless = [...scratchContracts, ...scratchRefs, MADE_UP_REF];
  const named = [request.path.contractId ?? [], memberOf(request.body, 'refs') ?? []].flat();
  const isHarmless = (one: string) => harmless.includes(one) || isRandom(one);
  if (allowWrites && named.map(String).every(isHarmless)) return;
  throw new Error(`${describeRequest(request)} is not allowed.`);
}

/** An id may come from the service; an empty or dot segment would change the path. */
function refuseOddSegments(request: SampleRequest): void {
  if (!Object.values(request.path).some((value) => ['', '.', '..'].includes(value))) return;
  const reason = `${describeRequest(request)} cannot be sent: a path cannot contain the value`;
  throw new CallFailed(reason, 'none');
}

/** The path and query of a request. */
export function targetOf({ operationId, path, query }: SampleRequest): string {
  const [, template = ''] = ROUTES[operationId].split(' ');
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name) => encode(path[name] ?? ''));
  const pairs = query.map((pair) => pair.map(encode).join('=')).join('&');
  return `${filled}${pairs && `?${pairs}`}`;
}

/** Replaces lone surrogates with U+FFFD: `encodeURIComponent` throws for them. */
function encode(value: string): string {
  return encodeURIComponent(Buffer.from(value).toString());
}
