import { matchesGlob } from 'node:path';

/** What the global set-up tells test files about their mock, in an environment variable. */
export interface SharedMockAddress {
  readonly url: string;
  /** The first part of this run's tokens. */
  readonly run: string;
  readonly seed: number;
  readonly controlToken?: string;
  readonly hasCoverageFile: boolean;
}

/** The settings of a project that say which test files are its own, named as in jest. */
export interface TestProject {
  readonly rootDir: string;
  readonly testMatch: readonly string[];
  readonly testRegex: readonly string[];
}

interface Announced extends SharedMockAddress {
  readonly project?: TestProject;
}

/** Without the prefix `USAGE_BILLING_MOCK_`: a mock that a test starts would refuse the variable. */
const VARIABLE = 'SHARED_USAGE_BILLING_MOCK';

/** Tells the test files that run from now on, or those of one project, which mock they share. */
export function announceSharedMock(address: SharedMockAddress, project?: TestProject): void {
  const { rootDir, testMatch, testRegex } = project ?? {};
  const added = { ...address, ...(project && { project: { rootDir, testMatch, testRegex } }) };
  const others = announced().filter(
    (other) => JSON.stringify(other.project) !== JSON.stringify(added.project),
  );
  process.env[VARIABLE] = JSON.stringify([...others, added]);
}

/** The mock that a test file shares with others; undefined if no set-up started one for it. */
export function sharedMockAddress(file = ''): SharedMockAddress | undefined {
  const all = announced();
  // If several projects name the same set-up, the runner calls it only for the first.
  if (all.length < 2) return all[0];
  const own = all.find(({ project }) => project && isOf(project, file));
  return own ?? all.find(({ project }) => !project);
}

function announced(): Announced[] {
  return JSON.parse(process.env[VARIABLE] || '[]');
}

function isOf({ rootDir, testMatch, testRegex }: TestProject, file: string): boolean {
  if (!file.startsWith(rootDir)) return false;
  if (testRegex.length > 0) return testRegex.some((source) => new RegExp(source).test(file));
  // Match below the root, because a folder above it that begins with a dot would hide the file.
  const below = (path: string) => path.replace(rootDir, '').replace(/^[\\/]/, '');
  const isMatch = (glob: string) => matchesGlob(below(file), below(glob));
  return (
    testMatch.some((glob) => !glob.startsWith('!') && isMatch(glob)) &&
    !testMatch.some((glob) => glob.startsWith('!') && isMatch(glob.slice(1)))
  );
}
