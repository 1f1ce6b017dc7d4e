// Replaces timers in the code of the package and its dependencies: test runners fake the global
// ones, and a call would wait for a clock that nobody advances. jest and vitest leave this module
// alone, but sinon and Node's own mocks change it, so it is read when the package is loaded.
// Not imported: vitest may look for a bare `timers` in the folder of the tests.
const timers = process.getBuiltinModule('timers');

export const { setImmediate, setInterval, setTimeout } = timers;
export const { clearImmediate, clearInterval, clearTimeout } = timers;

/**
 * No module exports an unfaked one; a resolved promise is just as fast and reports errors alike.
 * @param {() => void} act
 */
export function queueMicrotask(act) {
  Promise.resolve()
    .then(act)
    .catch((error) => {
      setImmediate(() => {
        throw error;
      });
    });
}

/**
 * Calls back after the running code; dependencies use it for nothing else.
 * @param {(...given: unknown[]) => void} act
 * @param {unknown[]} given
 */
export function nextTick(act, ...given) {
  queueMicrotask(() => act(...given));
}
