// Replaces yaml in the package, which is a tenth of all code: loads it from its own file only when
// a YAML file is read that the build has not parsed. Exports only what the package uses.
import { createRequire } from 'node:module';

/** @type {typeof import('yaml') | undefined} */
let loaded;

/** @returns {typeof import('yaml')} */
function yaml() {
  loaded ??= createRequire(import.meta.url)('./yaml.cjs');
  return /** @type {typeof import('yaml')} */ (loaded);
}

/** @type {typeof import('yaml').parse} */
export const parse = (/** @type {[any]} */ ...args) => yaml().parse(...args);

/** @type {typeof import('yaml').parseDocument} */
export const parseDocument = (/** @type {[any]} */ ...args) => yaml().parseDocument(...args);

/** @type {typeof import('yaml').stringify} */
export const stringify = (/** @type {[any]} */ ...args) => yaml().stringify(...args);

export const visit = (/** @type {[any, any]} */ ...args) => yaml().visit(...args);

export const isMap = (/** @type {unknown} */ node) => yaml().isMap(node);
export const isScalar = (/** @type {unknown} */ node) => yaml().isScalar(node);
export const isSeq = (/** @type {unknown} */ node) => yaml().isSeq(node);

/** Returns an instance of yaml's own class. */
export function LineCounter() {
  return new (yaml().LineCounter)();
}
