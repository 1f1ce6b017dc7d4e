/**
 * Gives a page from a stub or fault an origin of its own, so that its scripts reach neither the
 * control plane nor what the browser stores for the mock.
 */
const SANDBOX = 'sandbox allow-forms allow-modals allow-popups allow-scripts';

/** Adds the sandbox. A policy among the header fields stays in force: browsers obey both. */
export function sandboxed(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const isPolicy = ([name]: readonly [string, string]) =>
    name.toLowerCase() === 'content-security-policy';
  const fields = Object.entries(headers);
  const policies = [...fields.filter(isPolicy).map(([, policy]) => policy), SANDBOX];
  return {
    ...Object.fromEntries(fields.filter((field) => !isPolicy(field))),
    'Content-Security-Policy': policies.join(', '),
  };
}
