const MOST_MUTANTS = 100_000;

/** Which mutant is at work in this process, and which have been reached. */
class Reached {
  #active = 0;
  #mostHits = Number.POSITIVE_INFINITY;
  #hits = 0;
  #allHits = 0;
  #isRecording = false;
  readonly #counts = new Uint32Array(MOST_MUTANTS);
  readonly #touched: number[] = [];

  /** How often the mutant at work was reached. */
  get allHits(): number {
    return this.#allHits;
  }

  activate(mutant: number, mostHits: number): void {
    [this.#active, this.#mostHits, this.#hits, this.#allHits] = [mutant, mostHits, 0, 0];
    this.#isRecording = false;
  }

  record(): void {
    this.activate(0, 0);
    this.#isRecording = true;
  }

  /** What was reached since it was last asked, each mutant followed by how often. */
  take(): number[] {
    this.#hits = 0;
    const taken = this.#touched.flatMap((id) => [id, this.#counts[id] ?? 0]);
    for (const id of this.#touched.splice(0)) this.#counts[id] = 0;
    return taken;
  }

  /** Whether this mutant is at work. */
  isAtWork(mutant: number): boolean {
    if (this.#isRecording) this.#count(mutant);
    if (mutant !== this.#active) return false;
    this.#hits += 1;
    this.#allHits += 1;
    if (this.#hits > this.#mostHits) throw new Error('The mutant makes a loop without an end.');
    return true;
  }

  #count(mutant: number): void {
    const before = this.#counts[mutant] ?? 0;
    if (before === 0) this.#touched.push(mutant);
    this.#counts[mutant] = before + 1;
  }
}

export const reached = new Reached();

Object.assign(globalThis, { __isMutant: (mutant: number) => reached.isAtWork(mutant) });
