import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { parse } from 'yaml';
import { compileValidators } from '../../scripts/compile-validators.js';
import type { CreateValidators } from '../../src/core/openapi/compiled-validators.js';
import { packageVersion, readPackageYaml } from '../../src/host/server/documents/package-files.js';
import type { Shipped } from '../../src/host/server/in-page/browser-mock.js';
import { wholeControlDocument } from '../../src/mock/control-plane/control-document.js';
import { openapi } from './document.js';

const DATASETS = ['default', 'demo', 'edge-cases', 'empty', 'large'];

const controlOpenapi = parse(readFileSync('control.openapi.yaml', 'utf8'));
/** The validators that the build compiles for pages. */
const validators = compileValidators(openapi, wholeControlDocument(controlOpenapi, openapi));

/** What the build bundles for pages, made from the sources. */
export const SHIPPED: Shipped = {
  version: packageVersion(),
  reasonPhrases: STATUS_CODES,
  documents: { 'openapi.yaml': openapi, 'control.openapi.yaml': controlOpenapi },
  fixtures: Object.fromEntries(
    DATASETS.map((name) => [name, async () => readPackageYaml(`fixtures/${name}.yaml`)]),
  ),
  createValidators: new Function(`return ${validators}`)() as CreateValidators,
};
