import { WITHOUT_BODY } from '../../core/values/body-type.js';
import type { Fetch } from '../../host/adapters/fetch.js';
import type { MockServerOptions } from '../../host/options/mock-server-options.js';
import type { MockServer } from '../../host/server/mock-interface.js';
import { inThisRealm, ownError } from './in-this-realm.js';
import { loadInThisRealm, loadLibrary } from './load-library.js';

/** Starts a mock in this process, perhaps one of another realm. */
export async function startInProcess(options: MockServerOptions): Promise<MockServer> {
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

/** The server as a test of this realm sees it. */
export function serverForTests(server: MockServer): MockServer {
  return Object.create(inThisRealm(server), { fetch: { value: fetchForTests(server.fetch) } });
}

/** A `fetch` whose responses and errors belong to the realm of the test. */
function fetchForTests(fetch: Fetch): Fetch {
  return async (input, init) => {
    try {
      const response = await fetch(input, init);
      if (response instanceof Response) return response;
      const { status, statusText, headers } = response as Response;
      const isEmpty = WITHOUT_BODY.includes(status);
      const body = isEmpty ? null : await (response as Response).arrayBuffer();
      return new Response(body, { status, statusText, headers: [...headers] });
    } catch (error) {
      throw ownError(error);
    }
  };
}
