import { matchesGlob } from 'node:path';

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

/** A project of a runner, as the complete configuration of jest has it: which files are its own. */
export interface TestProject {
  readonly rootDir: string;
  readonly testMatch: readonly string[];
  readonly testRegex: readonly string[];
}

interface Announced extends SharedMockAddress {
  readonly project?: TestProject;
}

/** Without the prefix of the options, so that a command that a test starts does not refuse it. */
const VARIABLE = 'SHARED_USAGE_BILLING_MOCK';

/** Tells all files of tests, or those of a project, that are run from now on which mock they share. */
export function announceSharedMock(address: SharedMockAddress, project?: TestProject): void {
  const { rootDir, testMatch, testRegex } = project ?? {};
  const added = { ...address, ...(project && { project: { rootDir, testMatch, testRegex } }) };
  const others = announced().filter(
    (other) => JSON.stringify(other.project) !== JSON.stringify(added.project),
  );
  process.env[VARIABLE] = JSON.stringify([...others, added]);
}

/** The mock that a file of tests shares with others; undefined if none was set up for it. */
export function sharedMockAddress(file = ''): SharedMockAddress | undefined {
  const all = announced();
  // If several projects name a set-up, the runner calls it only for the first.
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
  // No folder above hides the file, as one that begins with a dot would.
  const below = (path: string) => path.replace(rootDir, '').replace(/^[\\/]/, '');
  const isMatch = (glob: string) => matchesGlob(below(file), below(glob));
  return (
    testMatch.some((glob) => !glob.startsWith('!') && isMatch(glob)) &&
    !testMatch.some((glob) => glob.startsWith('!') && isMatch(glob.slice(1)))
  );
}
