import type { OpenApiDocument } from '../../core/openapi/route-table.js';
import type { SpecificationFor } from '../../core/openapi/specification-in-force.js';
import { createControl } from '../../mock/control-plane/control-plane.js';
import { createService } from '../../mock/service/pipeline.js';
import type { Service } from '../../mock/service/request-and-response.js';
import { type SubscribersParts, subscribersOf } from '../../mock/subscribers/subscribers.js';
import type { CompleteOptions } from '../options/complete-options.js';
import { createJudge } from './documents/express-openapi-validator.js';
import { packageVersion, readPageFile } from './documents/package-files.js';
import { NODE } from './process/node-platform.js';
import type { ServerAccounts } from './server-accounts.js';

interface Parts
  extends ServerAccounts,
    Pick<SubscribersParts, 'logger' | 'idleAccounts' | 'record'> {
  readonly specificationFor: SpecificationFor;
  readonly controlDocument: () => OpenApiDocument;
}

interface Surroundings {
  readonly controlToken: string | undefined;
  /** True to require the token only from other machines. */
  readonly trustsLoopback: boolean;
  /** Ends the process; left out if the process also does something else. */
  readonly stop?: (() => void) | undefined;
  /** True to answer every call with a 500, except below `/__control`. */
  readonly failsEveryCall: boolean;
}

export type ServiceOptions = Pick<CompleteOptions, 'allowedHosts' | 'allowedOrigins' | 'basePath'> &
  Pick<CompleteOptions, 'captureBodies' | 'control' | 'explain' | 'recentBodies' | 'routes' | 'ui'>;

export function buildService(
  parts: Parts,
  options: ServiceOptions,
  surroundings: Surroundings,
): Service {
  const control = createControl({
    ...parts,
    ...surroundings,
    createJudge,
    document: parts.controlDocument,
    allowedHosts: options.allowedHosts,
    allowedOrigins: options.allowedOrigins,
    version: packageVersion(),
    readPageFile: options.ui ? readPageFile : undefined,
  });
  return createService({
    ...parts,
    platform: NODE,
    basePath: options.basePath ?? '',
    routes: options.routes,
    namesDecisions: options.explain,
    failsEveryCall: surroundings.failsEveryCall,
    subscribers: subscribersOf({ ...options, ...parts }),
    ...(options.control && { control, hasPage: options.ui }),
  });
}
