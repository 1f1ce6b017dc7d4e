import { fileURLToPath } from 'node:url';
import { loadCompiled } from '../../host/server/load-compiled.js';

// Bundled by itself, so that the rest can be loaded with the code that V8 compiled in an earlier
// start.
loadCompiled(fileURLToPath(new URL('shared-mock-process.cjs', import.meta.url)));
