import type { Exchange, Step } from './exchange.js';
import type { Refuse } from './refuse.js';

/** Runs an exchange through steps until one sets a response. `refuse` turns what they throw into one. */
export function createWalk(steps: readonly Step[], refuse: Refuse): Step {
  function walk(exchange: Exchange, from: number): void | Promise<void> {
    for (let at = from; at < steps.length && !exchange.response; at += 1) {
      const waiting = steps[at]?.(exchange);
      if (waiting) return waiting.then(() => walk(exchange, at + 1));
    }
  }
  return (exchange) => {
    try {
      return walk(exchange, 0)?.catch((thrown: unknown) => refuse(exchange, thrown));
    } catch (thrown) {
      return refuse(exchange, thrown);
    }
  };
}
