import type { Logger } from 'pino';
import type { IdleAccounts } from '../accounts/idle-accounts.js';
import type { RequestFeed } from '../accounts/journal/request-feed.js';
import { createControl } from '../control-plane/control-plane.js';
import type { OpenApiDocument } from '../openapi/route-table.js';
import type { SpecificationFor } from '../openapi/specification-in-force.js';
import type { CompleteOptions } from '../options/complete-options.js';
import type { CallRoutes } from '../service/act.js';
import { createService } from '../service/pipeline.js';
import type { Service } from '../service/service.js';
import { createJudge } from './express-openapi-validator.js';
import { NODE } from './node-platform.js';
import { packageVersion, readPageFile } from './package-files.js';
import type { ServerAccounts } from './server-accounts.js';

/** What the service answers from. */
interface Parts extends ServerAccounts {
  readonly specificationFor: SpecificationFor;
  readonly idleAccounts: IdleAccounts | undefined;
  readonly controlDocument: () => OpenApiDocument;
  readonly logger: Logger;
  /** Calls the routes of the user. */
  readonly callRoutes: CallRoutes | undefined;
}

/** Who may use the control plane. */
interface ControlAccess {
  readonly controlToken: string | undefined;
  /** True to require the token of other machines only. */
  readonly trustsLoopback: boolean;
}

/** Builds the service by the options, with the control plane unless it is disabled. */
export function buildService(
  parts: Parts,
  options: CompleteOptions,
  access: ControlAccess,
): Service {
  const { feed } = parts;
  const control = createControl({
    ...parts,
    ...access,
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
    namesDecisions: options.explain,
    capturesResponses: capturesResponsesOf(options, feed),
    ...(options.control && { control, hasPage: options.ui }),
  });
}

/** Whether responses are kept: always with the option, or while somebody who follows requests wants them. */
function capturesResponsesOf(
  { captureBodies, control }: CompleteOptions,
  feed: RequestFeed,
): (() => boolean) | undefined {
  if (captureBodies) return () => true;
  return control ? () => feed.wantsAnswers : undefined;
}
