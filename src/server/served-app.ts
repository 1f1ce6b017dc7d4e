import type { Express } from 'express';
import type { Logger } from 'pino';
import type { IdleAccounts } from '../accounts/idle-accounts.js';
import type { RequestFeed } from '../accounts/journal/request-feed.js';
import { createControl } from '../control-plane/control-plane.js';
import { createApp } from '../http/pipeline/pipeline.js';
import type { OpenApiDocument } from '../openapi/route-table.js';
import type { SpecificationFor } from '../openapi/specification-in-force.js';
import type { CompleteOptions } from '../options/complete-options.js';
import { packageVersion, readPageFile } from './package-files.js';
import type { ServerAccounts } from './server-accounts.js';

/** What the app answers from. */
interface AppParts extends ServerAccounts {
  readonly specificationFor: SpecificationFor;
  readonly idleAccounts: IdleAccounts | undefined;
  readonly controlDocument: () => OpenApiDocument;
  readonly logger: Logger;
}

/** Who may use the control plane. */
interface ControlAccess {
  readonly controlToken: string | undefined;
  /** True to require the token of other machines only. */
  readonly trustsLoopback: boolean;
}

/** Creates the app that answers every request, with the control plane unless it is disabled. */
export function createServedApp(
  parts: AppParts,
  options: CompleteOptions,
  access: ControlAccess,
): Express {
  const { specificationFor, accounts, decisions, journal, stubs, idleAccounts, feed } = parts;
  const shared = { specificationFor, accounts, decisions, journal, stubs, idleAccounts };
  const control = createControl({
    ...shared,
    ...access,
    feed,
    document: parts.controlDocument,
    allowedHosts: options.allowedHosts,
    allowedOrigins: options.allowedOrigins,
    version: packageVersion(),
    readPageFile: options.ui ? readPageFile : undefined,
  });
  return createApp({
    ...shared,
    latency: parts.latency,
    logger: parts.logger,
    basePath: options.basePath ?? '',
    namesDecisions: options.explain,
    routes: options.routes,
    capturesAnswers: capturesAnswersOf(options, feed),
    ...(options.control && { control, hasPage: options.ui }),
  });
}

/** Whether answers are kept: always with the option, or while somebody who follows requests wants them. */
function capturesAnswersOf(
  { captureBodies, control }: CompleteOptions,
  feed: RequestFeed,
): (() => boolean) | undefined {
  if (captureBodies) return () => true;
  return control ? () => feed.wantsAnswers : undefined;
}
