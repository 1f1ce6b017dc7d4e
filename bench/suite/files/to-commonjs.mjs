// Compiles ES modules for jest in CommonJS, as Babel or swc do in other projects.
import { createHash } from 'node:crypto';
import { transformSync, version } from 'esbuild';

/** @type {import('esbuild').TransformOptions} */
const OPTIONS = { format: 'cjs', target: 'es2022' };

export default {
  /**
   * @param {string} source
   * @param {string} sourcefile
   */
  process: (source, sourcefile) => transformSync(source, { ...OPTIONS, sourcefile }),
  /**
   * @param {string} source
   * @param {string} file
   */
  getCacheKey: (source, file) =>
    createHash('sha256').update([version, file, source].join('\0')).digest('hex'),
};
