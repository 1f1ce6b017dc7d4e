/** What a test is known by, and whether others may run at the same time. */
interface Test {
  readonly id: unknown;
  readonly isConcurrent: boolean;
}

/** The tests of one file that run. */
interface RunningTests<Parts> {
  /** Begins a test; call what it returns when the test has ended. */
  begin(test: Test & Parts): () => void;
  /** The only test that runs, or the last one between two. Throws if it may not be that of the caller. */
  current(caller: unknown): Test & Parts;
}

/** Knows which test runs as long as no other does at the same time. */
export function createRunningTests<Parts>(): RunningTests<Parts> {
  const running = new Set<Test & Parts>();
  const beside = new WeakSet<Test>();
  let latest: (Test & Parts) | undefined;

  return {
    begin(test) {
      running.add(test);
      if (test.isConcurrent || running.size > 1) for (const each of running) beside.add(each);
      latest = test;
      return () => running.delete(test);
    },
    current(caller) {
      if (latest && beside.has(latest)) {
        throw new Error(`Another test of this file may run at the same time. ${ADVICE}`);
      }
      if (caller !== undefined && caller !== latest?.id) {
        throw new Error(
          `The hook of useMockServer() has not run for this test: jest runs none for test.concurrent. ${ADVICE}`,
        );
      }
      if (latest) return latest;
      throw new Error('No test has begun: mock.token is that of the running test.');
    },
  };
}

const ADVICE =
  'Give each of them its own account: const token = mock.newToken(), and mock.server.account(token).';
