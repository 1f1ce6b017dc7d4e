/** The failure with the frames of the call that it came from, if its stack has none of them. */
export function located(failure: unknown, called: Error): unknown {
  const { name, message, stack } = Object(failure) as Partial<Error>;
  if (stack === undefined) return failure;
  const frames = framesOf(called);
  if (!frames.some((frame) => asPaths(stack).includes(asPaths(frame)))) {
    (failure as Error).stack = [`${name}: ${message}`, ...frames].join('\n');
  }
  return failure;
}

/** The file and line of the call in the test, as the runner writes it. */
export function placeOf(called: Error): string | undefined {
  const frame = framesOf(called).find((line) => !line.includes('node_modules'));
  return (
    frame &&
    asPaths(frame)
      .replace(/^\s+at /, '')
      .replace(/^[^(]*\((.*)\)$/, '$1')
  );
}

/** The frames of a call, without those of Node. */
export function framesOf({ stack = '' }: Error): string[] {
  return stack.split('\n').filter((line) => /^\s+at /.test(line) && !line.includes('node:'));
}

/** Frames of ES modules as Playwright writes them. */
function asPaths(stack: string): string {
  return stack.replaceAll('file://', '');
}
