import type { Cores, nodeOn } from './cores.js';
import type { Data } from './data.js';
import type { installPeers } from './peers.js';
import type { planOf } from './plan.js';
import type { Results } from './statistics.js';
import type { Target } from './targets.js';

/** What every measure receives. */
export interface Bench {
  plan: ReturnType<typeof planOf>;
  peers: ReturnType<typeof installPeers>;
  cores: Cores;
  data: Data;
  targets: Target[];
  results: Results;
  node: ReturnType<typeof nodeOn>;
  say(text: string): void;
}
