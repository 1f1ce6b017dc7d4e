import type { Logger } from 'pino';
import { FAULT_KINDS } from '../../src/accounts/fault-kinds.js';
import type { JournalRules } from '../../src/accounts/journal/journal.js';
import { wholeControlDocument } from '../../src/control-plane/control-document.js';
import { createControl } from '../../src/control-plane/control-plane.js';
import { createCoverage } from '../../src/coverage/coverage-counter.js';
import { createRecordChecks } from '../../src/datasets/fixture/schema-checks.js';
import { loadGenerator } from '../../src/datasets/generate/generator.js';
import { type DatasetSources, readDatasets } from '../../src/datasets/read-datasets.js';
import type { CreateJudge } from '../../src/openapi/judge.js';
import type { OpenApiDocument } from '../../src/openapi/route-table.js';
import { createSpecifications } from '../../src/openapi/specification-in-force.js';
import type { CompleteOptions } from '../../src/options/complete-options.js';
import { createServerAccounts } from '../../src/server/server-accounts.js';
import { createService } from '../../src/service/pipeline.js';
import type { Platform, Service } from '../../src/service/service.js';

/** All that the service needs of its surroundings. */
export interface Surroundings {
  readonly platform: Platform;
  readonly createJudge: CreateJudge;
  readonly documents: { readonly service: OpenApiDocument; readonly control: OpenApiDocument };
  readonly fixtures: DatasetSources['files'];
  readonly options: CompleteOptions;
  readonly reasonPhrases: JournalRules['reasonPhrases'];
  readonly version: string;
  readonly logger: Logger;
}

/** Creates the service with its datasets, accounts and control plane from what is handed in alone. */
export async function createPortableService(given: Surroundings): Promise<Service> {
  const { platform, createJudge, documents, fixtures, options, version, logger } = given;
  const control = wholeControlDocument(documents.control, documents.service);
  const schemasOf = ({ components }: OpenApiDocument) => components?.schemas ?? {};
  const checks = createRecordChecks(
    schemasOf(documents.service),
    () => schemasOf(control),
    documents.service.paths,
  );
  const sources = { ...options, files: fixtures, checks, built: new Map() };
  const read = readDatasets({ ...sources, today: '2026-11-22', onRead: () => undefined });
  const held = createServerAccounts(read.build(await loadGenerator()), options, checks, logger, {
    ...{ record: undefined, unclaimed: undefined, machineTime: undefined },
    coverage: createCoverage(documents.service, FAULT_KINDS),
    ...{ version, reasonPhrases: given.reasonPhrases, sign: platform.sign, after: platform.after },
  });
  const parts = {
    ...held,
    specificationFor: createSpecifications(documents.service, createJudge),
    logger,
  };
  return createService({
    ...parts,
    platform,
    followers: [{ wantsResponses: options.captureBodies }],
    control: createControl({
      ...parts,
      createJudge,
      document: () => control,
      trustsLoopback: false,
      allowedHosts: [],
      allowedOrigins: [],
      version,
    }),
  });
}
