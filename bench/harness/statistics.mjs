/** @import { Cell } from '../types.js' */

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const at = (/** @type {number} */ nth) => sorted[nth] ?? Number.NaN;
  return sorted.length % 2 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
}

/** What was measured, by measure and target: figures of each round, or why there are none. */
export class Results {
  /** @type {Map<string, Cell>} */
  #cells = new Map();

  /**
   * @param {string} measure
   * @param {string} target
   * @param {number | undefined} value
   */
  add(measure, target, value) {
    const cell = this.#cell(measure, target);
    if (value !== undefined && !cell.reason) cell.values.push(value);
  }

  /**
   * Says why there is no figure; the figures of earlier rounds no longer count.
   * @param {string} measure
   * @param {string} target
   * @param {string} reason
   */
  refuse(measure, target, reason) {
    const cell = this.#cell(measure, target);
    cell.reason = reason;
    cell.values = [];
  }

  /**
   * Says something of a figure that stands.
   * @param {string} measure
   * @param {string} target
   * @param {string} note
   */
  remark(measure, target, note) {
    this.#cell(measure, target).note = note;
  }

  /**
   * @param {string} measure
   * @param {string} target
   * @returns {Cell}
   */
  cell(measure, target) {
    return this.#cells.get(`${measure} ${target}`) ?? { values: [] };
  }

  /**
   * The median of the rounds, undefined where there is no figure.
   * @param {string} measure
   * @param {string} target
   */
  median(measure, target) {
    const { values } = this.cell(measure, target);
    return values.length > 0 ? median(values) : undefined;
  }

  /**
   * @param {string} measure
   * @param {string} target
   */
  #cell(measure, target) {
    const key = `${measure} ${target}`;
    const known = this.#cells.get(key) ?? { values: [] };
    this.#cells.set(key, known);
    return known;
  }
}
