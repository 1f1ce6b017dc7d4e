import { setTimeout } from 'node:timers/promises';
import { type Held, leftOver, type RunningCommand } from '../server/start-command.js';

/** How many accounts are open after so many seconds, or as soon as none is. */
export async function accountsAfter(url: string, seconds: number): Promise<number> {
  let total = Number.POSITIVE_INFINITY;
  for (let second = 0; second < seconds && total > 0; second += 1) {
    await setTimeout(1_000);
    const answer = await fetch(`${url}/__control/accounts`, { headers: { Connection: 'close' } });
    ({ total } = (await answer.json()) as { total: number });
  }
  return total;
}

/** What the process holds once nothing is left of the clients, or at the latest after ten seconds. */
export async function settled(command: RunningCommand, before?: Held): Promise<Held> {
  for (let second = 0; ; second += 1) {
    await setTimeout(1_000);
    const held = await command.measure();
    if (second === 10 || (before && leftOver(before, held).length === 0)) return held;
    if (!before && !held.resources.includes('TCPSocketWrap')) return held;
  }
}
