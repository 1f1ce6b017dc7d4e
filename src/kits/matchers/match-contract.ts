import { cut, shown } from '../../core/values/received-value.js';
import type { AnyResponse } from '../in-process/library.js';
import { loadLibrary } from '../in-process/load-library.js';
import { refusePromise } from './account-in.js';
import { refuseUnknownOperation } from './expectations.js';

/** What a runner expects of a matcher. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matcher of responses, in every runner. */
export async function toMatchContract(
  this: { readonly isNot?: boolean },
  received: unknown,
  operationId: string,
  document?: object,
): Promise<MatcherResult> {
  refuseUnknownOperation(operationId);
  const response = await responseOf(received);
  const { matchDocument } = await loadLibrary();
  const broken = matchDocument(operationId, response, await document);
  const expected = `${this.isNot ? 'no response' : 'a response'} from ${operationId} that matches the document`;
  const { status, body = response.data } = response;
  const was = `${status} ${typeof body === 'string' ? cut(body) : shown(body)}`;
  const lines = [`Expected ${expected}.`, ...broken, `Received ${was}`];
  return { pass: broken.length === 0, message: () => lines.join('\n  ') };
}

async function responseOf(received: unknown): Promise<AnyResponse> {
  refusePromise(received);
  if (received instanceof Response) {
    if (!received.bodyUsed) return { status: received.status, body: await received.clone().text() };
    throw new TypeError(
      'The body of the Response was already read; expected an unread body. Match the Response before you read it, or pass { status, body }.',
    );
  }
  if (typeof (received as AnyResponse | undefined)?.status === 'number')
    return received as AnyResponse;
  throw new TypeError(
    `expect() was given ${shown(received)}; expected a Response, a supertest or axios response, or { status, body }.`,
  );
}
