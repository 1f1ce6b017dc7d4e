// Replaces lodash.clonedeep in the package, which can copy much more than documents. Copies JSON
// values, keeps functions, and preserves shared and circular references.

/**
 * @param {any} value
 * @param {Map<object, object>} copies
 */
function cloneDeep(value, copies) {
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known) return known;
  /** @type {any} */
  const copy = Array.isArray(value) ? [] : {};
  copies.set(value, copy);
  for (const name of Object.keys(value)) copy[name] = cloneDeep(value[name], copies);
  return copy;
}

module.exports = (/** @type {unknown} */ value) => cloneDeep(value, new Map());
