import type { Logger } from 'pino';
import type { RecordChecks } from '../../core/datasets/fixture/schema-checks.js';
import type { Datasets } from '../../core/datasets/read-datasets.js';
import type { DecisionId, Decisions } from '../../core/decisions/ledger.js';
import {
  DEFAULT_STATE,
  type DecisionState,
  switchDecisions,
} from '../../core/decisions/switch-decisions.js';
import { OptionError } from '../../core/errors/option-error.js';
import { combineStubs } from '../../core/stubs/combine-stubs.js';
import { Stubs } from '../../core/stubs/stubs.js';
import { latencyRangeOf } from '../../core/values/latency-range.js';
import { describeMistake } from '../../core/values/mistake.js';
import { instantOf } from '../../core/values/time.js';
import { Accounts, type AccountsParts } from '../../mock/accounts/account-registry.js';
import { Faults } from '../../mock/accounts/faults.js';
import type { Known } from '../../mock/accounts/journal/hide-credentials.js';
import { type Followers, Journal, type JournalRules } from '../../mock/accounts/journal/journal.js';
import { KeptEvidence } from '../../mock/accounts/journal/kept-evidence.js';
import { Latency, NO_LATENCY } from '../../mock/accounts/latency.js';
import { createDeletionLimit } from '../../mock/accounts/limit-deletions.js';
import { Limits, type Maxima } from '../../mock/accounts/limits.js';
import type { CoverageCounter } from '../../mock/coverage/coverage-counter.js';
import type { CompleteOptions } from '../options/complete-options.js';

/** The accounts of a server, and the datasets and decisions in force for them. */
export interface ServerAccounts {
  readonly accounts: Accounts;
  /** Counts the operations, faults and decisions that calls touch. */
  readonly coverage: CoverageCounter;
  readonly checks: RecordChecks;
  /** To call after so many deletions by the service. */
  readonly noteDeletions: (deletions: number) => void;
  /** The requests that reached no account. */
  readonly journal: Journal;
  /** Everything that follows the requests, such as event streams. */
  readonly followers: Followers;
  /** What is a credential in whichever request has it. */
  readonly known: Known;
  /** The stubs for every caller. */
  readonly stubs: Stubs;
  /** The latency of responses to requests without an account. */
  readonly latency: Latency;
  datasets(): Datasets;
  /** The decisions of new accounts before any scenario, and of requests that reach no account. */
  decisions(): Decisions;
  /** Replaces the datasets with their decisions and stubs; returns how many accounts were reset. */
  replace(next: Datasets): number;
}

export type AccountOptions = Pick<CompleteOptions, 'decisions' | 'faults' | 'latency' | 'now'> &
  Pick<CompleteOptions, 'journalSize' | 'maxAccounts' | 'scenario' | 'stubs'>;

type FromOutside = Pick<JournalRules, 'version' | 'reasonPhrases' | 'after'> &
  Pick<AccountsParts, 'unclaimed' | 'machineTime' | 'sign'> & {
    readonly coverage: CoverageCounter;
    readonly controlToken?: string | undefined;
    /** What the accounts keep at most, where it is not as usual. */
    readonly maxima?: Partial<Maxima> | undefined;
  };

/** All journals together keep as much as this many full ones. */
const JOURNALS = 50;

export function createServerAccounts(
  loaded: Datasets,
  options: AccountOptions,
  checks: RecordChecks,
  logger: Logger,
  { version, reasonPhrases, after, controlToken, maxima, ...outside }: FromOutside,
): ServerAccounts {
  const { maxAccounts, journalSize, faults } = options;
  let datasets = loaded;
  let decisions = decisionsOf(datasets, options);
  const kept = new KeptEvidence(JOURNALS * journalSize);
  const followers: Followers = new Set();
  const known: Known = {
    get secrets() {
      return [...(controlToken === undefined ? [] : [controlToken]), ...datasets.declared];
    },
  };
  const journalRules = {
    size: journalSize,
    kept,
    checks,
    version,
    reasonPhrases,
    followers,
    known,
    after,
  };
  const limits = new Limits(maxima);
  const stubs: Stubs = new Stubs('server', {
    check: checks.stub,
    admit: (more) => limits.admit('stubs', more, () => stubs.added),
  });
  stubs.declare(combineStubs([datasets.stubs, options.stubs]));
  const latency = latencyRangeOf(options.latency) ?? NO_LATENCY;
  const { seed } = loaded.main;
  refuseInvalidFaults(faults, checks);
  const frozenAt = options.now === undefined ? undefined : instantOf(options.now);
  const scenarios = [options.scenario ?? ''];
  const own = { maxAccounts, journalRules, limits, latency, seed, faults, frozenAt };
  const accounts: Accounts = new Accounts({
    datasets,
    decisions,
    checks,
    scenarios,
    ...own,
    ...outside,
  });
  const noteDeletions = createDeletionLimit({
    ...{ accounts, most: limits.maxima.deletions, idleMinutes: limits.maxima.idleMinutes },
    warn: (sentence) => logger.warn(sentence),
  });
  return {
    accounts,
    noteDeletions,
    coverage: outside.coverage,
    checks,
    stubs,
    followers,
    known,
    journal: new Journal(journalRules),
    latency: new Latency(latency, seed),
    datasets: () => datasets,
    decisions: () => decisions.inForce,
    replace(next) {
      datasets = next;
      stubs.declare(combineStubs([next.stubs, options.stubs]));
      const nextDecisions = decisionsOf(next, options);
      const changes = changesOf(decisions, nextDecisions);
      if (changes.length > 0) {
        decisions = nextDecisions;
        logger.info(`The decisions have changed: ${changes.join(', ')}.`);
      }
      return accounts.reload(next, decisions);
    },
  };
}

/** The options that are checked like sections of a fixture, with their JSON if they are empty. */
const SECTIONS = { accounts: '{}', stubs: '[]' } as const;

/** Throws an `OptionError` for the first mistake in options that are declared as in a fixture. */
export function checkSections(
  options: Pick<CompleteOptions, keyof typeof SECTIONS>,
  checks: RecordChecks,
): void {
  for (const [name, none] of Object.entries(SECTIONS) as [keyof typeof SECTIONS, string][]) {
    // Saves the time to compile the schema if the option is not given.
    const [mistake] = JSON.stringify(options[name]) === none ? [] : checks[name](options[name]);
    if (mistake) throw new OptionError(`The option '${name}': ${describeMistake(mistake)}`);
  }
}

/** Refuses invalid faults now rather than when the first account opens. */
function refuseInvalidFaults(given: CompleteOptions['faults'], checks: RecordChecks): void {
  const faults = new Faults(checks);
  try {
    for (const fault of given) faults.add(fault);
  } catch (error) {
    throw new OptionError(`The option 'faults': ${(error as Error).message}`);
  }
}

/** The defaults, switched by the fixture and then by the options. */
function decisionsOf(datasets: Datasets, options: AccountOptions): DecisionState {
  return [datasets.decisions, options.decisions].reduce(switchDecisions, DEFAULT_STATE);
}

/** The decisions that differ, each as `id=value`, with where it was seen. */
function changesOf(before: DecisionState, after: DecisionState): string[] {
  const factsOf = ({ inForce, seen }: DecisionState, id: DecisionId) =>
    JSON.stringify([inForce[id], seen[id]]);
  const ids = Object.keys(after.inForce) as DecisionId[];
  return ids
    .filter((id) => factsOf(after, id) !== factsOf(before, id))
    .map((id) => {
      const seen = after.seen[id];
      return `${id}=${after.inForce[id]}${seen ? ` (seen on ${seen.host} at ${seen.at})` : ''}`;
    });
}
