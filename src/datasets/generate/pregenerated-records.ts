import type { Contract, Customer } from '../../billing/resources.js';
import type { FingerprintSum } from '../../store/hash.js';
import type { GenerateConfig } from '../fixture/fixture.js';

/** The sums of records that are computed when they are read. */
export interface GeneratedSums {
  readonly measurements: FingerprintSum;
  readonly events: FingerprintSum;
}

/** Records that were generated at the build, and from what. */
export interface PregeneratedRecords {
  /** Of the dataset whose generated records have these sums. */
  readonly fingerprint: string;
  readonly sums: GeneratedSums;
  readonly seed: number;
  readonly config: GenerateConfig;
  readonly customers: readonly Customer[];
  readonly contracts: readonly Contract[];
}
