import type { Logger } from 'pino';
import type { Dataset } from '../datasets/dataset.js';
import { type CompleteOptions, OptionError } from '../options/complete-options.js';
import type { JournalFile } from './journal-file.js';
import type { StateFile } from './state-file/state-file.js';

/** The journal file, if there is one; its code is loaded only then. */
export async function journalFileOf(
  { journalFile, rotateBytes }: CompleteOptions,
  logger: Logger,
): Promise<JournalFile | undefined> {
  if (journalFile === undefined) return undefined;
  const { openJournalFile } = await import('./journal-file.js');
  try {
    return openJournalFile(journalFile, rotateBytes, logger);
  } catch (error) {
    throw new OptionError((error as Error).message);
  }
}

/** The state file, if there is one; its code is loaded only then. */
export async function stateFileOf(
  { stateFile }: CompleteOptions,
  { fingerprint }: Dataset,
  logger: Logger,
): Promise<StateFile | undefined> {
  if (stateFile === undefined) return undefined;
  const { openStateFile } = await import('./state-file/state-file.js');
  return openStateFile(stateFile, fingerprint, logger);
}
