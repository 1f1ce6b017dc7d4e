import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { compileValidators } from '../../scripts/compile-validators.js';
import { wholeControlDocument } from '../../src/control-plane/control-document.js';
import { openapi } from './document.js';

/** `control.openapi.yaml` as it stands. */
export const controlOpenapi = parse(readFileSync('control.openapi.yaml', 'utf8'));

/** What the build compiles for pages, as code. */
export const validatorsCode = compileValidators(
  openapi,
  wholeControlDocument(controlOpenapi, openapi),
);
