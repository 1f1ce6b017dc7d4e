import type { Listener } from '../http/listener.js';

/** What happens when a mock server is started and stopped. */
interface ServingParts {
  readonly listen: () => Promise<Listener>;
  readonly onStart: () => void;
  readonly onStop: () => Promise<void>;
}

/** A mock server's life on a port. */
export interface Serving {
  /** Where it listens. Throws while it is not started. */
  readonly url: string;
  start(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts and stops listening, as often as one likes, one at a time. */
export function createServing({ listen, onStart, onStop }: ServingParts): Serving {
  let listening: Promise<Listener> | undefined;
  let listener: Listener | undefined;
  return {
    get url() {
      if (!listener) throw new Error('The mock server has no URL yet: call start() first.');
      return listener.url;
    },
    async start() {
      if (listening) throw new Error('The mock server is started already: call stop() first.');
      listening = listen();
      try {
        listener = await listening;
      } catch (error) {
        listening = undefined;
        throw error;
      }
      onStart();
      return listener.url;
    },
    async stop() {
      const stopping = await listening?.catch(() => undefined);
      listener = undefined;
      await Promise.all([onStop(), stopping?.close()]);
      listening = undefined;
    },
  };
}
