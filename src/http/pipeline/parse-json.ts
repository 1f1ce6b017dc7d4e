import { runWithoutBlocking } from '../../accounts/run-without-blocking.js';

/** So many bytes are parsed in some milliseconds: the fastest way, all at once. */
const AT_ONCE_BYTES = 2 ** 20;

/**
 * The JSON value of a body in UTF-8. A long one is parsed in slices, so that other requests are
 * answered meanwhile. Rejects with an error that says what is wrong with the syntax.
 */
export async function parseJson(bytes: Buffer): Promise<unknown> {
  if (bytes.length <= AT_ONCE_BYTES) return JSON.parse(new TextDecoder().decode(bytes));
  const { parsingLongJson } = await import('./parse-long-json.js');
  return runWithoutBlocking(parsingLongJson(bytes));
}
