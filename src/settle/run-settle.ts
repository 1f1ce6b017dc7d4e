import type { OpenApiDocument } from '../openapi/route-table.js';
import { readPackageYaml } from '../server/package-files.js';
import {
  checkRecordingOptions,
  completeServiceOptions,
  isOfRecordings,
} from './complete-settle-options.js';
import type { SettleOptions } from './settle-options.js';
import { settleRecordings } from './settle-recordings.js';
import type { SettleReport } from './settle-report.js';
import { settleService } from './settle-service.js';

/** Checks the options, and asks the service or reads the recordings. */
export async function runSettle(options: SettleOptions): Promise<SettleReport> {
  const name = (option: string) => `the option '${option}'`;
  const document = readPackageYaml('openapi.yaml') as OpenApiDocument;
  if (isOfRecordings(options)) {
    checkRecordingOptions(options, name);
    return settleRecordings(options, document);
  }
  return settleService(completeServiceOptions(options, name), document);
}
