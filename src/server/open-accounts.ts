import type { Logger } from 'pino';
import { createAccounts } from '../accounts/accounts.js';
import { Journal } from '../accounts/journal/journal.js';
import { JournalBudget } from '../accounts/journal/journal-budget.js';
import { StateBudget } from '../accounts/state-budget.js';
import type { Dataset } from '../datasets/dataset.js';
import type { RecordChecks } from '../datasets/fixture/record-checks.js';
import { DRAWN_BEFORE, loadInventor, NotDrawnError } from '../datasets/generate/inventor.js';
import { type Datasets, loadDatasets } from '../datasets/load-datasets.js';
import { DEFAULT_DECISIONS, type DecisionId, type Decisions } from '../decisions/ledger.js';
import { switchDecisions } from '../decisions/switch-decisions.js';
import { describeMistake } from '../errors/mistake.js';
import { type CompleteOptions, OptionError } from '../options/complete-options.js';
import { packagePath, parsedByBuild } from './package-files.js';
import { createDatasetReader } from './reload-datasets.js';

/** Reads the datasets and makes the accounts over them, which follow what is read anew. */
export async function openAccounts(options: CompleteOptions, checks: RecordChecks, logger: Logger) {
  const { maxAccounts, journalSize, journalBytes, stateBytes } = options;
  const hasAccounts = JSON.stringify(options.accounts) !== '{}';
  const [mistake] = hasAccounts ? checks.accounts(options.accounts) : [];
  if (mistake) throw new OptionError(`The option 'accounts': ${describeMistake(mistake)}`);
  const shipped = { folder: packagePath('fixtures'), shipped: parsedByBuild };
  // A fixture that is watched may come to need what draws.
  let inventor = options.watch ? await loadInventor() : DRAWN_BEFORE;
  const built = new Map<string, WeakRef<Dataset>>();
  const reader = createDatasetReader({
    load: (onRead) => loadDatasets({ ...options, ...shipped, checks, inventor, built, onRead }),
    apply(next) {
      datasets = next;
      const changed = changesOf(decisions, decisionsOver(next));
      if (changed.length > 0) {
        decisions = decisionsOver(next);
        logger.info(`The decisions have changed: ${changed.join(', ')}.`);
      }
      return accounts.reload(next, decisions);
    },
    logger,
  });
  const readAll = async (): Promise<Datasets> => {
    try {
      return reader.read();
    } catch (error) {
      if (!(error instanceof NotDrawnError)) throw error;
      inventor = await loadInventor();
      return reader.read();
    }
  };
  let datasets = await readAll();
  const decisionsOver = (over: Datasets) =>
    [over.decisions, options.decisions].reduce<Decisions>(
      (inForce, changes) => switchDecisions(inForce, changes, 'server').decisions,
      DEFAULT_DECISIONS,
    );
  let decisions = decisionsOver(datasets);
  const journalBudget = new JournalBudget(journalBytes, () =>
    logger.warn(
      `The journals have ${journalBytes} bytes, as many as they may: from now on the oldest requests are let go, and told as evicted. Raise --journal-bytes (journalBytes in the library), or clear journals.`,
    ),
  );
  const limits = { maxAccounts, journalSize, journalBudget };
  const stateBudget = new StateBudget(stateBytes);
  const parts = { datasets, decisions, checks, ...limits, stateBudget };
  const accounts = createAccounts(parts);
  const journal = new Journal(journalSize, journalBudget, checks);
  return {
    reader,
    datasets: () => datasets,
    /** Those by which a new account, and whoever reaches none, is answered at this moment. */
    decisions: () => decisions,
    accounts,
    journal,
  };
}

/** The decisions that differ, as the command takes them. */
function changesOf(before: Decisions, after: Decisions): string[] {
  const ids = Object.keys(after) as DecisionId[];
  return ids.filter((id) => after[id] !== before[id]).map((id) => `${id}=${after[id]}`);
}
