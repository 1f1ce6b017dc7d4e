import { setTimeout } from 'node:timers/promises';

/** Hands out turns at a fixed rate, however long each turn takes. */
export class Pace {
  readonly #everyMs: number;
  #dueAtMs: number;
  #isPaused = false;
  #resume: () => void = () => undefined;
  #resumed: Promise<void> = Promise.resolve();

  constructor(perSecond: number) {
    this.#everyMs = 1_000 / perSecond;
    this.#dueAtMs = performance.now();
  }

  /** Waits for the next turn; returns when it was due, which may be in the past. */
  async turn(): Promise<number> {
    while (this.#isPaused) await this.#resumed;
    const dueAtMs = this.#dueAtMs;
    this.#dueAtMs += this.#everyMs;
    const leftMs = dueAtMs - performance.now();
    if (leftMs > 1) await setTimeout(leftMs);
    return dueAtMs;
  }

  /** Hands out no turns until `goOn`. */
  pause(): void {
    this.#isPaused = true;
    this.#resumed = new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  goOn(): void {
    this.#isPaused = false;
    this.#dueAtMs = performance.now();
    this.#resume();
  }
}
