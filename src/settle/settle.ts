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

/**
 * Asks a service, or reads recordings of one, which value of each decision it follows. Without
 * `allowWrites` only GET requests leave; a service that cannot be asked is no error, but the report
 * says so. Rejects with an `OptionError` for an invalid option or recording.
 *
 * @example
 * const { verdicts } = await settle({ target: 'https://api.example.com/v1', token: 'my-token' });
 * for (const { decision, verdict, value } of verdicts) console.log(decision, verdict, value);
 */
export async function settle(options: SettleOptions): Promise<SettleReport> {
  const name = (option: string) => `The option '${option}'`;
  const document = readPackageYaml('openapi.yaml') as OpenApiDocument;
  if (isOfRecordings(options)) {
    checkRecordingOptions(options, name);
    return settleRecordings(options, document);
  }
  return settleService(completeServiceOptions(options, name), document);
}
