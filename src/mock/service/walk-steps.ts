import type { Exchange, Step } from './exchange.js';
import type { Refuse } from './refuse.js';

/**
 * Runs an exchange through steps until one sets a response. A step must come after those that set
 * what it requires of the exchange.
 */
export function inOrder<Required extends Exchange>(steps: readonly Step<Required>[]): Step {
  function walk(exchange: Required, from: number): void | Promise<void> {
    for (let at = from; at < steps.length && !exchange.response; at += 1) {
      const waiting = steps[at]?.(exchange);
      if (waiting)
        return at + 1 < steps.length ? waiting.then(() => walk(exchange, at + 1)) : waiting;
    }
  }
  return (exchange) => walk(exchange as Required, 0);
}

/** Runs a walk; `refuse` turns what it throws into a response. */
export function refusing(walk: Step, refuse: Refuse): Step {
  return (exchange) => {
    try {
      return walk(exchange)?.catch((thrown: unknown) => refuse(exchange, thrown));
    } catch (thrown) {
      return refuse(exchange, thrown);
    }
  };
}
