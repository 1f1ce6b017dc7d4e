// Stands in the package for globals that Node has and the `jsdom` environment of jest has not: the
// one that is there when the package is loaded, for a test may have put it there, or else Node's own.
import { runInThisContext } from 'node:vm';

/** @param {'Headers' | 'Request' | 'Response' | 'structuredClone'} name */
const globalOrOwn = (name) => globalThis[name] ?? runInThisContext(name);

export const Headers = globalOrOwn('Headers');
export const Request = globalOrOwn('Request');
export const Response = globalOrOwn('Response');
export const structuredClone = globalOrOwn('structuredClone');
