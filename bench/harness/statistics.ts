/** The figures of each round, or the reason why there are none. */
export interface Cell {
  values: number[];
  reason?: string;
  note?: string;
}

export function median(values: number[]) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const at = (nth: number) => sorted[nth] ?? Number.NaN;
  return sorted.length % 2 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
}

/** What was measured, by measure and target: figures of each round, or why there are none. */
export class Results {
  #cells: Map<string, Cell> = new Map();

  add(measure: string, target: string, value: number | undefined) {
    const cell = this.#cell(measure, target);
    if (value !== undefined && !Number.isNaN(value) && !cell.reason) cell.values.push(value);
  }

  /** Adds a figure for each measure, whose name may have a beginning in common. */
  addAll(target: string, figures: Record<string, number | undefined>, begin = '') {
    for (const [end, value] of Object.entries(figures)) this.add(begin + end, target, value);
  }

  /** Says why there is no figure; the figures of earlier rounds no longer count. */
  refuse(measure: string, target: string, reason: string) {
    const cell = this.#cell(measure, target);
    cell.reason = reason;
    cell.values = [];
  }

  /** Says something of a figure that stands. */
  remark(measure: string, target: string, note: string) {
    this.#cell(measure, target).note = note;
  }

  cell(measure: string, target: string): Cell {
    return this.#cells.get(`${measure} ${target}`) ?? { values: [] };
  }

  /** The median of the rounds, undefined where there is no figure. */
  median(measure: string, target: string) {
    const { values } = this.cell(measure, target);
    return values.length > 0 ? median(values) : undefined;
  }

  #cell(measure: string, target: string) {
    const key = `${measure} ${target}`;
    const known = this.#cells.get(key) ?? { values: [] };
    this.#cells.set(key, known);
    return known;
  }
}
