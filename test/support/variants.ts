/** Whether a file of slow tests runs, such as one that imports a quick one to try all its variants. */
const isSlow = expect.getState().testPath?.endsWith('.slow.test.ts');

/** The variants of one case: in a quick file of tests so many of the first, in a slow one all. */
export function variantsOf<Variant>(all: readonly Variant[], quick: number): readonly Variant[] {
  return isSlow ? all : all.slice(0, quick);
}

/** How often a property is tried: in a quick file of tests a fifth of what it is in a slow one. */
export function runsOf(slow: number): number {
  return isSlow ? slow : Math.ceil(slow / 5);
}
