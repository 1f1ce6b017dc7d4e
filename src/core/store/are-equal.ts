/** Whether two values are the same JSON, whatever the order of their members. */
export function areEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  for (const name of names) {
    if (!areEqual(Reflect.get(one, name), Reflect.get(other, name))) return false;
  }
  return true;
}
