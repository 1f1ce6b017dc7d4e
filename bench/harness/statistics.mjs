export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** What was measured, by measure and target: figures of each round, or why there are none. */
export class Results {
  #cells = new Map();

  add(measure, target, value) {
    const cell = this.#cell(measure, target);
    if (value !== undefined && !cell.reason) cell.values.push(value);
  }

  /** Says why there is no figure; the figures of earlier rounds no longer count. */
  refuse(measure, target, reason) {
    const cell = this.#cell(measure, target);
    cell.reason = reason;
    cell.values = [];
  }

  /** Says something of a figure that stands. */
  remark(measure, target, note) {
    this.#cell(measure, target).note = note;
  }

  cell(measure, target) {
    return this.#cells.get(`${measure} ${target}`) ?? { values: [] };
  }

  /** The median of the rounds, undefined where there is no figure. */
  median(measure, target) {
    const { values } = this.cell(measure, target);
    return values.length > 0 ? median(values) : undefined;
  }

  #cell(measure, target) {
    const key = `${measure} ${target}`;
    const known = this.#cells.get(key) ?? { values: [] };
    this.#cells.set(key, known);
    return known;
  }
}
