import type { SettleOptions } from './settle-options.js';
import type { SettleReport } from './settle-report.js';

export type { SettleOptions } from './settle-options.js';
export type {
  DecisionVerdict,
  SettleReport,
  UnexplainedResponse,
  Violation,
} from './settle-report.js';

/**
 * Finds out from a service, or recordings of one, which value of each decision it follows. Sends
 * only GET requests unless `allowWrites` is set. If the service cannot be reached, the report says
 * so. Rejects with an `OptionError` for an invalid option or recording.
 *
 * @example
 * const { verdicts } = await settle({ target: 'https://api.example.com/v1', token: 'my-token' });
 * for (const { decision, verdict, value } of verdicts) console.log(decision, verdict, value);
 */
export async function settle(options: SettleOptions): Promise<SettleReport> {
  // Loaded here, so that programs that only start a mock do not load it.
  const { runSettle } = await import('./run-settle.js');
  return runSettle(options);
}
