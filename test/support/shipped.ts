import { STATUS_CODES } from 'node:http';
import type { CreateValidators } from '../../src/core/openapi/compiled-validators.js';
import { packageVersion, readPackageYaml } from '../../src/host/server/documents/package-files.js';
import type { Shipped } from '../../src/host/server/in-page/browser-mock.js';
import { controlOpenapi, validatorsCode } from './compiled-validators.js';
import { openapi } from './document.js';

const DATASETS = ['default', 'demo', 'edge-cases', 'empty', 'large'];

/** What the build bundles for pages, made from the sources. */
export const SHIPPED: Shipped = {
  version: packageVersion(),
  reasonPhrases: STATUS_CODES,
  documents: { 'openapi.yaml': openapi, 'control.openapi.yaml': controlOpenapi },
  fixtures: Object.fromEntries(
    DATASETS.map((name) => [name, async () => readPackageYaml(`fixtures/${name}.yaml`)]),
  ),
  createValidators: new Function(`return ${validatorsCode}`)() as CreateValidators,
};
