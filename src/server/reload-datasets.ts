import { statSync } from 'node:fs';
import type { Logger } from 'pino';
import { FixtureError } from '../datasets/fixture/fixture-file.js';
import type { Datasets } from '../datasets/load-datasets.js';

const POLL_MS = 200;

/** How the datasets are read, and what becomes of them. */
interface ReaderParts {
  /** Reads everything; tells of every file before it is looked at. Throws a `FixtureError`. */
  readonly load: (onRead: (path: string) => void) => Datasets;
  /** Goes on with what was read anew; says how many accounts were reset. */
  readonly apply: (datasets: Datasets) => number;
  readonly logger: Logger;
}

/** Reads datasets, and reads them again when a file has changed. */
export interface DatasetReader {
  /** Reads everything for the first time. */
  read(): Datasets;
  /** Looks for changes from now on, those since the last reading included. */
  watch(): void;
  /** Looks no more. */
  close(): void;
}

/**
 * Sees changes by looking at the files five times a second, which works on every file system, in
 * containers, and with editors that replace a file. A broken fixture changes nothing but the log.
 */
export function createDatasetReader({ load, apply, logger }: ReaderParts): DatasetReader {
  /** Each file that the last reading looked at, as it was just before. */
  let seen = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;

  function read(): Datasets {
    const looked = new Map<string, string>();
    try {
      return load((path) => {
        if (!looked.has(path)) looked.set(path, stateOf(path));
      });
    } finally {
      // After a reading that failed half-way, the files that it did not come to matter still.
      seen = new Map([...seen, ...looked]);
    }
  }

  function look(): void {
    const changed = [...seen].find(([path, state]) => stateOf(path) !== state)?.[0];
    if (changed === undefined) return;
    try {
      const resets = apply(read());
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
    read,
    watch() {
      timer ??= setInterval(look, POLL_MS).unref();
    },
    close() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** What tells one state of a file from another. */
function stateOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    return `missing: ${(error as NodeJS.ErrnoException).code}`;
  }
}
