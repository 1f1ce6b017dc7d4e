import type { Listener } from '../http/listener.js';

/** What happens at intervals while the server listens. */
export interface Watch {
  start(): void;
  stop(): void;
}

/** What is started and stopped, and how. */
interface LifecycleParts {
  readonly watches: readonly Watch[];
  /** Listens, at each start. */
  readonly listen: () => Promise<Listener>;
  /** Ends the calls in process that are under way. */
  readonly endCalls: () => Promise<void>;
}

/** Starting and stopping a mock server. */
export interface Lifecycle {
  /** Where it listens. Throws while it is not started. */
  readonly url: string;
  start(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts and stops listening any number of times, one at a time. */
export function createLifecycle(parts: LifecycleParts): Lifecycle {
  const { watches } = parts;
  let listening: Promise<Listener> | undefined;
  let listener: Listener | undefined;
  return {
    get url() {
      if (!listener) throw new Error('The mock server has no URL yet: call start() first.');
      return listener.url;
    },
    async start() {
      if (listening) throw new Error('The mock server is started already: call stop() first.');
      listening = parts.listen();
      try {
        listener = await listening;
      } catch (error) {
        listening = undefined;
        throw error;
      }
      for (const watch of watches) watch.start();
      return listener.url;
    },
    async stop() {
      const stopping = await listening?.catch(() => undefined);
      listener = undefined;
      for (const watch of watches) watch.stop();
      await Promise.all([parts.endCalls(), stopping?.close()]);
      listening = undefined;
    },
  };
}
