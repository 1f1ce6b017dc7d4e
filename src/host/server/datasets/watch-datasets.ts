import type { Logger } from 'pino';
import { FixtureError } from '../../../core/datasets/fixture/parse-fixture.js';
import type { Datasets } from '../../../core/datasets/read-datasets.js';
import { count } from '../../../core/values/plural.js';
import { type Repeated, repeated } from '../../adapters/unfaked-time.js';
import type { MountSurroundings } from '../mock-interface.js';
import type { LoadedDatasets } from './load-datasets.js';

const POLL_MS = 200;

interface WatchParts {
  readonly loaded: LoadedDatasets;
  /** Replaces the datasets in force; returns how many accounts were reset. */
  readonly replace: (datasets: Datasets) => number;
  readonly logger: Logger;
  readonly onReload?: MountSurroundings['onReload'];
}

/**
 * Reloads the datasets when one of their files has changed since it was last read. Polls, which
 * works on every file system, in containers, and with editors that replace files. A broken fixture
 * is logged, and the earlier records stay.
 *
 * Not `fs.watchFile`: it would miss a change between reading and `start`, and if two files are
 * saved together, it would reload twice, the first time with half of the change.
 */
export function createDatasetWatch({ loaded, replace, logger, onReload }: WatchParts): Repeated {
  function reloadIfChanged(): void {
    const changed = loaded.changedFile();
    if (changed === undefined) return;
    const mistakes = reload(changed);
    onReload?.(changed, mistakes);
  }

  /** Returns what is wrong with the datasets, if anything. */
  function reload(changed: string): string | undefined {
    try {
      const resets = replace(loaded.load());
      logger.info(
        `${changed} has changed and was reloaded, which reset ${count(resets, 'account')}.`,
      );
      return undefined;
    } catch (error) {
      if (error instanceof FixtureError) {
        for (const line of error.message.split('\n')) logger.error(line);
      } else logger.error({ err: error }, 'The fixture cannot be read');
      logger.error(`${changed} has changed and cannot be used; the earlier records stay.`);
      return (error as Error).message;
    }
  }

  return repeated(POLL_MS, reloadIfChanged);
}
