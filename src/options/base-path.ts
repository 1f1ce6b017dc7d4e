const FORM = /^(\/[\w.~@:+-]+)+$/;
const DOTS = /\/\.{1,2}(\/|$)/;
const CONTROL_PLANE = /^\/__control(\/|$)/;

/** Whether the value is a path below which the mock can answer. */
export function isBasePath(value: unknown): boolean {
  if (typeof value !== 'string' || !FORM.test(value)) return false;
  return !DOTS.test(value) && !CONTROL_PLANE.test(value);
}

/** What to write instead of an invalid base path. */
export function adviceOnBasePath(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (CONTROL_PLANE.test(value)) return 'The control plane answers there: choose another path.';
  const [path = ''] = value.replace(/^[a-z]+:\/\/[^/]*/i, '').split(/[?#]/);
  const parts = path.split('/').filter((part) => !['', '.', '..'].includes(part));
  if (parts.length === 0) return 'Leave it out to answer at the root.';
  const nearest = `/${parts.join('/')}`;
  return isBasePath(nearest) ? `Did you mean '${nearest}'?` : undefined;
}
