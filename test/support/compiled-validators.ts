import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { compileValidators } from '../../scripts/compile-validators.js';
import { wholeControlDocument } from '../../src/mock/control-plane/control-document.js';
import { openapi } from './document.js';

/** The parsed `control.openapi.yaml`. */
export const controlOpenapi = parse(readFileSync('control.openapi.yaml', 'utf8'));

/** The code of the validators that the build compiles for pages. */
export const validatorsCode = compileValidators(
  openapi,
  wholeControlDocument(controlOpenapi, openapi),
);
