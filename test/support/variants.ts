/** Whether the running file is a slow one, which may import a quick one to try all its variants. */
const isSlow = expect.getState().testPath?.endsWith('.slow.test.ts');

/** The variants of one case to try: only the first few in a quick file, all in a slow one. */
export function variantsOf<Variant>(all: readonly Variant[], quick: number): readonly Variant[] {
  return isSlow ? all : all.slice(0, quick);
}

/** How often to try a property: in a quick file a fifth as often as in a slow one. */
export function runsOf(slow: number): number {
  return isSlow ? slow : Math.ceil(slow / 5);
}
