/** A figure for each round, or the reason why there is none. */
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

/** What was measured, by measure and target. */
export class Results {
  #cells: Map<string, Cell> = new Map();

  add(measure: string, target: string, value: number | undefined) {
    const cell = this.#cell(measure, target);
    if (value !== undefined && !Number.isNaN(value) && !cell.reason) cell.values.push(value);
  }

  /** Adds a figure for each measure; `begin` is prefixed to the measures' names. */
  addAll(target: string, figures: Record<string, number | undefined>, begin = '') {
    for (const [end, value] of Object.entries(figures)) this.add(begin + end, target, value);
  }

  /** Records why there is no figure, and drops those of earlier rounds. */
  refuse(measure: string, target: string, reason: string) {
    const cell = this.#cell(measure, target);
    cell.reason = reason;
    cell.values = [];
  }

  /** Adds a note to a figure. */
  remark(measure: string, target: string, note: string) {
    this.#cell(measure, target).note = note;
  }

  cell(measure: string, target: string): Cell {
    return this.#cells.get(`${measure} ${target}`) ?? { values: [] };
  }

  /** The median of the rounds; undefined if there is no figure. */
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
