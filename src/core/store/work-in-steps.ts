/** Work in small steps, between which other work may run. */
export type Steps<Result> = Generator<void, Result, void>;

export const RECORDS_A_STEP = 32;

export function* inSteps<Value>(values: Iterable<Value>, act: (value: Value) => void): Steps<void> {
  let passed = 0;
  for (const value of values) {
    act(value);
    passed += 1;
    if (passed % RECORDS_A_STEP === 0) yield;
  }
}

/** Runs all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Makes each value only when the iterator reaches it. */
export function* mapEach<Value, Made>(
  values: Iterable<Value>,
  make: (value: Value) => Made,
): Generator<Made, void> {
  for (const value of values) yield make(value);
}
