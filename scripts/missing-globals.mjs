// Replaces globals that jest's `jsdom` environment lacks: uses the one that exists when it is first
// needed, since a test may define it, or else Node's own. Not earlier, because in Node even naming
// one of these classes loads all of its fetch.
import { runInThisContext } from 'node:vm';

/** @type {Record<string, unknown>} */
export const globalsOrOwn = {};

for (const name of ['Headers', 'ReadableStream', 'Request', 'Response', 'structuredClone']) {
  /** @type {unknown} */
  let found;
  Object.defineProperty(globalsOrOwn, name, {
    enumerable: true,
    get() {
      found ??= Reflect.get(globalThis, name) ?? runInThisContext(name);
      return found;
    },
  });
}
