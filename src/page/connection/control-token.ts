const KEY = 'usage-billing-mock control token';

/** Takes the control token out of the fragment, which no server sees, and keeps it for this tab. */
export function adoptTokenOfFragment(): void {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  keepControlToken(decodeURIComponent(token));
  history.replaceState(null, '', location.pathname + location.search);
}

/** The control token, if there is one. */
export function controlToken(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

/** Keeps the control token until the tab is closed. */
export function keepControlToken(token: string): void {
  sessionStorage.setItem(KEY, token);
}
