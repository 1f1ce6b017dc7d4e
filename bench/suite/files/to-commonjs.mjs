// Compiles ES modules for jest in CommonJS, as Babel or swc do in other projects.
import { createHash } from 'node:crypto';
import { transformSync, version } from 'esbuild';

/** @type {import('esbuild').TransformOptions} */
const OPTIONS = {
  format: 'cjs',
  target: 'es2022',
  banner: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;',
  define: { 'import.meta.url': 'importMetaUrl' },
};

export default {
  /**
   * @param {string} source
   * @param {string} sourcefile
   */
  process: (source, sourcefile) => ({
    code: transformSync(source, { ...OPTIONS, sourcefile }).code,
  }),
  /**
   * @param {string} source
   * @param {string} file
   */
  getCacheKey: (source, file) =>
    createHash('sha256')
      .update([version, JSON.stringify(OPTIONS), file, source].join('\0'))
      .digest('hex'),
};
