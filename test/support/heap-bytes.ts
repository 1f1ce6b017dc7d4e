import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** How much of the heap is used once garbage is collected. */
export function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
