// Stands in the package for lodash.clonedeep, which copies much more than documents: values of JSON,
// functions as they are, and what is referred to twice, or by itself, once.

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
