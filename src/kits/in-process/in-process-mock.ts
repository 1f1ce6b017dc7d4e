import { WITHOUT_BODY } from '../../core/values/body-type.js';
import { isObject } from '../../core/values/json-value.js';
import type { Fetch } from '../../host/adapters/fetch.js';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import type { MockServer } from '../../host/server/mock-interface.js';
import { connectMockServer } from '../../mock/client/connect-mock-server.js';
import { watchStrays } from '../account-of-test/describe-requests.js';
import type { RunningMock } from '../account-of-test/running-mock.js';
import { createTestTokens } from '../account-of-test/test-tokens.js';
import { loadInThisRealm, loadLibrary } from './load-library.js';

export async function startInProcess(
  options: MockServerOptions,
): Promise<RunningMock & { readonly fetch: Fetch }> {
  const server = await startServer(options);
  const { url, controlToken, dataset } = server;
  const fetch = inThisRealm(server.fetch);
  return {
    url,
    fetch,
    server: connectMockServer({ url, fetch, ...(controlToken && { controlToken }) }),
    isShared: false,
    seed: dataset.seed,
    newToken: createTestTokens([]),
    watchStrays(given) {
      const strays = watchStrays(server, given);
      return async () => strays();
    },
    stop: () => server.stop(),
  };
}

async function startServer(options: MockServerOptions): Promise<MockServer> {
  if (options.control === false) {
    throw new Error(
      "The option 'control' is false; expected true: to arrange accounts and match requests, a kit needs the control plane. For a server without one, use createMockServer.",
    );
  }
  // Functions of the test may throw or compare objects of its own realm.
  const load = options.routes ? loadInThisRealm : loadLibrary;
  const { buildMockServer } = await load();
  try {
    // Looked up with every call, because fake timers replace `Date`.
    const server = await buildMockServer(options, () => Date.now());
    await server.start();
    return server;
  } catch (error) {
    throw ownError(error);
  }
}

/** The error, or a copy for which `instanceof Error` is true in the realm of the test. */
function ownError(error: unknown): unknown {
  if (error instanceof Error || !isObject(error)) return error;
  const { name, message } = error as object as Error;
  return Object.assign(new Error(message, { cause: error }), error, { name });
}

/** A `fetch` whose responses and errors belong to the realm of the test. */
function inThisRealm(fetch: Fetch): Fetch {
  return async (input, init) => {
    try {
      const response = await fetch(input, init);
      if (response instanceof Response) return response;
      const { status, statusText, headers } = response as Response;
      const isEmpty = WITHOUT_BODY.includes(status);
      const body = isEmpty ? null : await (response as Response).arrayBuffer();
      return new Response(body, { status, statusText, headers: [...headers] });
    } catch (error) {
      throw ownFailure(error);
    }
  };
}

/** A failure as `fetch` would report it: a TypeError, or the reason of an abort. */
function ownFailure(error: unknown): unknown {
  const { name, message, cause } = (error ?? {}) as Error;
  if (error instanceof Error || name !== 'TypeError') return error;
  return new TypeError(message, cause === undefined ? {} : { cause: ownError(cause) });
}
