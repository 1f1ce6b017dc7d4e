/** Work in small steps: whoever has it done may do something else between two of them. */
export type Steps<Result> = Generator<void, Result, void>;

/** How many records are gone through in one step. */
export const RECORDS_A_STEP = 32;

/** The values, with the end of a step after every few of them. */
export function* inSteps<Value>(values: Iterable<Value>, act: (value: Value) => void): Steps<void> {
  let passed = 0;
  for (const value of values) {
    act(value);
    passed += 1;
    if (passed % RECORDS_A_STEP === 0) yield;
  }
}

/** Does all of the work at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
