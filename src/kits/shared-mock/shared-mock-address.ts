/** What the set-up of a run tells the files of tests, in a variable of the environment. */
export interface SharedMockAddress {
  readonly url: string;
  /** What the accounts of this run begin with. */
  readonly run: string;
  readonly seed: number;
  readonly controlToken?: string;
  /** True if it writes a file of what it has seen. */
  readonly hasCoverageFile: boolean;
}

/** Without the prefix of the options, so that a command that a test starts does not refuse it. */
const VARIABLE = 'SHARED_USAGE_BILLING_MOCK';

/** Tells all files of tests that are run from now on which mock they share. */
export function announceSharedMock(address: SharedMockAddress): void {
  process.env[VARIABLE] = JSON.stringify(address);
}

/** The mock that all files of tests share; undefined if none was set up. */
export function sharedMockAddress(): SharedMockAddress | undefined {
  const text = process.env[VARIABLE];
  return text ? (JSON.parse(text) as SharedMockAddress) : undefined;
}
