import { unwatchFile, watchFile } from 'node:fs';
import type { Logger } from 'pino';
import type { Datasets } from './dataset/datasets.js';
import { FixtureError } from './dataset/fixture-file.js';

const POLL_MS = 200;

/** What happens when a file has changed. */
interface WatchParts {
  /** Reads everything again; throws a `FixtureError`. */
  readonly load: () => Datasets;
  /** Goes on with what was read; says how many accounts were reset. */
  readonly apply: (datasets: Datasets) => number;
  readonly logger: Logger;
}

/** Looks after fixture files. */
export interface FixtureWatcher {
  /** Reads everything again whenever one of the files changes. */
  watch(files: readonly string[]): void;
  close(): void;
}

/**
 * Watches by looking at the files five times a second: that sees changes on every file system, in
 * containers and after editors that replace a file. A broken fixture changes nothing but the log.
 */
export function watchFixtures({ load, apply, logger }: WatchParts): FixtureWatcher {
  const listeners = new Map<string, () => void>();

  function watch(files: readonly string[]): void {
    close();
    for (const file of files) {
      const listener = () => reload(file);
      listeners.set(file, listener);
      watchFile(file, { interval: POLL_MS, persistent: false }, listener);
    }
  }

  function close(): void {
    for (const [file, listener] of listeners) unwatchFile(file, listener);
    listeners.clear();
  }

  function reload(file: string): void {
    try {
      const datasets = load();
      const resets = apply(datasets);
      watch(datasets.files());
      logger.info(`${file} has changed and was read again; accounts that were reset: ${resets}.`);
    } catch (error) {
      if (!(error instanceof FixtureError)) throw error;
      for (const line of error.message.split('\n')) logger.error(line);
      logger.error(`${file} has changed and cannot be used; the records read before stay.`);
    }
  }

  return { watch, close };
}
