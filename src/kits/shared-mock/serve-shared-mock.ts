import { fileURLToPath } from 'node:url';
import { loadCompiled } from '../../server/compiled-code.js';

loadCompiled(fileURLToPath(new URL('shared-mock-process.cjs', import.meta.url)));
