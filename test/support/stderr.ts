/** The lines that are written to standard error while `act` runs. */
export async function stderrOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  const lines: string[] = [];
  const { write } = process.stderr;
  process.stderr.write = (line: unknown) => lines.push(String(line)) > 0;
  try {
    await act();
  } finally {
    process.stderr.write = write;
  }
  return lines;
}
