import type { Schemas } from '../connection/call.js';
import type { StreamedRequest } from '../connection/request-log.js';
import { go } from '../parts/route.js';
import { keep } from '../parts/use-kept.js';

/** The names under which the form of an operation keeps what is in it. */
export const keptOf = (operationId: string) => ({
  isOpen: `${operationId} is open`,
  token: 'token to try with',
  values: `parameters of ${operationId}`,
  body: `body of ${operationId}`,
  received: `received by ${operationId}`,
});

/** Opens the form of the operation that a request called, filled with the request. */
export function openInApi(
  owner: string,
  { operationId = '', parameters = {} }: Pick<StreamedRequest, 'operationId' | 'parameters'>,
  { postData }: Schemas['HarRequest'],
): void {
  const values = Object.entries(parameters).map(([name, value]) => [name, String(value)] as const);
  const kept = keptOf(operationId);
  keep(kept.isOpen, true);
  keep(kept.token, undefined);
  keep(kept.values, Object.fromEntries(values));
  keep(kept.body, postData?.text ?? '');
  keep(kept.received, undefined);
  go(['api', owner, operationId]);
}
