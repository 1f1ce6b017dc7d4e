import { fileURLToPath } from 'node:url';
import { loadCompiled } from '../../server/compiled-code.js';

// Built by itself: the rest is loaded with the code that an earlier start has compiled.
loadCompiled(fileURLToPath(new URL('shared-mock-process.cjs', import.meta.url)));
