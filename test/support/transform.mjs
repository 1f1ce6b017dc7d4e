// Compiles TypeScript for jest, with the globals that are used the most as constants of each module:
// in the context of a test, naming a global takes twenty times as long. Those that tests replace,
// such as `Date` and `fetch`, are not among them.
import { createTransformer } from '@swc/jest';

const swc = createTransformer({ jsc: { target: 'es2022', parser: { syntax: 'typescript' } } });
const CONSTANTS = 'const { Array, JSON, Map, Math, Number, Object, Set, String } = globalThis;';

function withConstants(source) {
  return source.startsWith('#!') ? source : `${CONSTANTS} ${source}`;
}

/** The generator of records is JavaScript already. */
function isCompiled(file) {
  return file.endsWith('.js');
}

export default {
  process: (source, file, options) =>
    isCompiled(file)
      ? { code: withConstants(source) }
      : swc.process(withConstants(source), file, options),
  processAsync: async (source, file, options) =>
    isCompiled(file)
      ? { code: withConstants(source) }
      : swc.processAsync(withConstants(source), file, options),
  getCacheKey: (source, ...rest) => swc.getCacheKey(withConstants(source), ...rest),
};
