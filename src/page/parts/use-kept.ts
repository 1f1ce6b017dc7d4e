import { useState } from 'preact/hooks';

/** A value that a control shows, and the function that changes it. */
export interface Entered<Value> {
  readonly value: Value;
  readonly onValue: (value: Value) => void;
}

/** Values by name, which stay when the view or the account changes. */
const kept = new Map<string, unknown>();

const nameInTab = (name: string) => `usage-billing-mock kept ${name}`;

/** The value kept under a name in this tab, even across reloads. */
export function readKept<Value>(name: string, initial: Value): Value {
  if (kept.has(name)) return kept.get(name) as Value;
  const text = tabStorage()?.getItem(nameInTab(name)) ?? undefined;
  return text === undefined ? initial : JSON.parse(text);
}

/** Keeps a JSON value under a name; undefined removes it. */
export function keep(name: string, value: unknown): void {
  kept.set(name, value);
  if (value === undefined) kept.delete(name);
  const storage = tabStorage();
  try {
    if (value === undefined) storage?.removeItem(nameInTab(name));
    else storage?.setItem(nameInTab(name), JSON.stringify(value));
  } catch {
    // If the tab has no room for it, a reload loses it.
    storage?.removeItem(nameInTab(name));
  }
}

/** Undefined if the browser blocks it, as some do in a frame of another site. */
function tabStorage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

/** State that is kept under a name until the tab is closed, even while nothing shows it. */
export function useKept<Value>(name: string, initial: Value): Entered<Value> {
  const [value, setValue] = useState(() => readKept(name, initial));
  const onValue = (next: Value) => {
    keep(name, next);
    setValue(() => next);
  };
  return { value, onValue };
}
