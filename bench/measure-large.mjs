// `large`: the start, and the memory before and after a walk in pages of 1,000.
import { start } from './servers/start.mjs';

const headers = { authorization: 'Bearer walk' };

export async function measureLarge({ add, data }) {
  const server = await start('ours', { dataset: 'large', first: '/measurements?limit=1' });
  add('large: spawn to first 200, ms', 'ours', server.startMs);
  add('large: memory after start, MB', 'ours', server.residentMb());
  const beganAt = performance.now();
  let pages = 0;
  for (let cursor = ''; cursor !== undefined && pages < data.most; pages += 1) {
    const query = `limit=1000${cursor && `&cursor=${cursor}`}`;
    const response = await fetch(`${server.url}/measurements?${query}`, { headers });
    cursor = (await response.json()).nextCursor;
  }
  if (pages < Math.min(100, data.most)) throw new Error(`The walk had ${pages} pages.`);
  add('large: walk, s', 'ours', (performance.now() - beganAt) / 1_000);
  add('large: memory after walk, MB', 'ours', server.residentMb());
  await server.stop();
}
