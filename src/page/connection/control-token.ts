const KEY = 'usage-billing-mock control token';

/**
 * Takes the control token out of the fragment, which no server sees, and keeps it for this tab;
 * returns whether there was one.
 */
export function adoptTokenOfFragment(): boolean {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (token === undefined) return false;
  history.replaceState(null, '', location.pathname + location.search);
  keepControlToken(decoded(token));
  return true;
}

/** The control token, if there is one. */
export function controlToken(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

/** Keeps the control token until the tab is closed. */
export function keepControlToken(token: string): void {
  // No header field carries other characters: the mock would not learn that the token is wrong.
  const isSendable = /^[ -~]*$/.test(token);
  sessionStorage.setItem(KEY, isSendable ? token : encodeURIComponent(token));
}

/** What is not percent-encoded is the token as it was typed. */
function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
