import { type Address, type HttpServer, type Listener, listen } from '../http/listener.js';
import type { DatasetWatch } from './reload-datasets.js';

/** What is started and stopped, and how. */
interface LifecycleParts extends Address {
  /** Whether datasets are read again while the server listens. */
  readonly watch: boolean;
  readonly datasetWatch: DatasetWatch;
  /** Creates a server for each start. */
  readonly createServer: () => HttpServer;
  /** The server that answers in process, whether or not one listens. */
  readonly inProcess: HttpServer;
}

/** Starting and stopping a mock server. */
interface Lifecycle {
  /** Where it listens. Throws while it is not started. */
  readonly url: string;
  start(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts and stops listening any number of times, one at a time. */
export function createLifecycle(parts: LifecycleParts): Lifecycle {
  const { watch, datasetWatch, inProcess } = parts;
  let listening: Promise<Listener> | undefined;
  let listener: Listener | undefined;
  return {
    get url() {
      if (!listener) throw new Error('The mock server has no URL yet: call start() first.');
      return listener.url;
    },
    async start() {
      if (listening) throw new Error('The mock server is started already: call stop() first.');
      listening = listen(parts.createServer(), parts);
      try {
        listener = await listening;
      } catch (error) {
        listening = undefined;
        throw error;
      }
      if (watch) datasetWatch.start();
      return listener.url;
    },
    async stop() {
      const stopping = await listening?.catch(() => undefined);
      listener = undefined;
      datasetWatch.stop();
      await Promise.all([inProcess.endConnections(), stopping?.close()]);
      listening = undefined;
    },
  };
}
