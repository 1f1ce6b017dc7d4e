import type { Logger } from 'pino';
import { FixtureError } from '../datasets/fixture/fixture-file.js';
import type { Datasets } from '../datasets/read-datasets.js';
import type { LoadedDatasets } from './load-datasets.js';

const POLL_MS = 200;

/** Dependencies of the watch. */
interface WatchParts {
  readonly loaded: LoadedDatasets;
  /** Replaces the datasets in force; returns how many accounts were reset. */
  readonly replace: (datasets: Datasets) => number;
  readonly logger: Logger;
}

/** Reloads the datasets when one of their files has changed. */
export interface DatasetWatch {
  /** Looks for changes from now on, those since the last reading included. */
  start(): void;
  /** Stops looking for changes. */
  stop(): void;
}

/**
 * Checks the files five times a second, which works on every file system, in containers, and with
 * editors that replace a file. A broken fixture changes nothing but the log.
 *
 * Not `fs.watchFile`: it compares with the file at the time of the call, so that a change between
 * the reading and `start` is lost, and calls once a file, so that one save of two files reloads
 * twice, the first time with half of the change.
 */
export function createDatasetWatch({ loaded, replace, logger }: WatchParts): DatasetWatch {
  let timer: NodeJS.Timeout | undefined;

  function reloadIfChanged(): void {
    const changed = loaded.changedFile();
    if (changed === undefined) return;
    try {
      const resets = replace(loaded.load());
      logger.info(
        `${changed} has changed and was read again; accounts that were reset: ${resets}.`,
      );
    } catch (error) {
      if (error instanceof FixtureError) {
        for (const line of error.message.split('\n')) logger.error(line);
      } else logger.error({ err: error }, 'The fixture cannot be read');
      logger.error(`${changed} has changed and cannot be used; the records read before stay.`);
    }
  }

  return {
    start() {
      timer ??= setInterval(reloadIfChanged, POLL_MS).unref();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
