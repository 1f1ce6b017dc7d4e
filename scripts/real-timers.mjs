// Stands in the package for timers, wherever its code or that of its dependencies asks for them: test
// runners fake those of the global scope, and a call would wait for a clock that nobody advances.
// jest and vitest leave this module real, but sinon and Node's own mocks write into it, so that what
// it has is taken when the package is loaded.
// biome-ignore lint/style/useNodejsImportProtocol: tsdown.config.ts puts this file in the place of `node:timers`.
import timers from 'timers';

export const { setImmediate, setInterval, setTimeout } = timers;
export const { clearImmediate, clearInterval, clearTimeout } = timers;

/**
 * No module that stays real has this one: a resolved promise calls it as soon, and alike in errors.
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
 * After what is running, as the faked one would; dependencies defer a callback by it, no more.
 * @param {(...given: unknown[]) => void} act
 * @param {unknown[]} given
 */
export function nextTick(act, ...given) {
  queueMicrotask(() => act(...given));
}
