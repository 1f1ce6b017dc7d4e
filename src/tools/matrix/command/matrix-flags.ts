import type { FlagName } from '../../../host/terminal/flags-and-variables.js';

/** The options of the mock that a matrix accepts. */
export const SERVER_FLAGS: readonly FlagName[] = [
  ...(['dataset', 'seed', 'basePath', 'tlsCert', 'tlsKey'] as const),
  ...(['decide', 'decisions'] as const),
];

export interface MatrixFlags {
  readonly only?: readonly string[];
  readonly onlyTouched?: boolean;
  readonly faults?: boolean;
  /** False with `--no-canary`. */
  readonly canary: boolean;
  readonly jobs: number;
  readonly timeout?: number;
  readonly report?: string;
  readonly junit?: string;
  readonly accept?: string;
  readonly format: 'text' | 'markdown';
}
