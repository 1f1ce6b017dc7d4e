// Stands in the package for globals that Node has and the `jsdom` environment of jest has not: the
// one that is there when it is first needed, for a test may have put it there, or else Node's own.
// Not when the package is loaded: in Node, only to name one of these classes loads its whole fetch.
import { runInThisContext } from 'node:vm';

/** @type {Map<string, unknown>} */
const found = new Map();

/** @param {'Headers' | 'ReadableStream' | 'Request' | 'Response' | 'structuredClone'} name */
function globalOrOwn(name) {
  if (!found.has(name)) found.set(name, globalThis[name] ?? runInThisContext(name));
  return found.get(name);
}

/** What tsdown.config.ts puts before these names. */
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
