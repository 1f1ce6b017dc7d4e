import type { Contract, Customer } from '../../billing/resources.js';
import type { GenerateConfig } from '../fixture/fixture.js';

/** Records that were generated at the build, and from what. */
export interface PregeneratedRecords {
  readonly seed: number;
  readonly config: GenerateConfig;
  readonly customers: readonly Customer[];
  readonly contracts: readonly Contract[];
}
