// Replaces globals that jest's `jsdom` environment lacks: uses the one that exists when it is first
// needed, since a test may define it, or else Node's own. Not earlier, because in Node even naming
// one of these classes loads all of its fetch.
import { runInThisContext } from 'node:vm';

/** @type {Map<string, unknown>} */
const found = new Map();

/** @param {'Headers' | 'ReadableStream' | 'Request' | 'Response' | 'structuredClone'} name */
function globalOrOwn(name) {
  if (!found.has(name)) found.set(name, globalThis[name] ?? runInThisContext(name));
  return found.get(name);
}

/** tsdown.config.ts prefixes these names with it. */
export const globalsOrOwn = {
  get Headers() {
    return globalOrOwn('Headers');
  },
  get ReadableStream() {
    return globalOrOwn('ReadableStream');
  },
  get Request() {
    return globalOrOwn('Request');
  },
  get Response() {
    return globalOrOwn('Response');
  },
  get structuredClone() {
    return globalOrOwn('structuredClone');
  },
};
