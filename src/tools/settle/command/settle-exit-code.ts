import { EXIT } from '../../../host/terminal/exit.js';
import { TOKEN_REFUSED } from '../send/call-failed.js';
import type { SettleReport } from '../settle-report.js';
import type { Check } from './check-against-file.js';

/** The exit code for a report. A difference outweighs what could not be looked at. */
export function exitCodeOf(
  { brokenOff, requests }: SettleReport,
  check: Check | undefined,
): number {
  const isRefused = brokenOff?.includes(TOKEN_REFUSED) ?? false;
  const couldNotLook = check
    ? isRefused || check.judged.some(({ agrees }) => agrees === undefined)
    : brokenOff !== undefined || requests === 0;
  if (check?.judged.some(({ agrees }) => agrees === false)) return EXIT.somethingDiffers;
  return couldNotLook ? EXIT.couldNotLook : 0;
}
