// Spawn to the first 200, and the memory that a server holds then.
import { setTimeout } from 'node:timers/promises';
import { SERVERS, start } from './servers/start.mjs';

const STARTS = 3;

export async function measureStart({ add, data, round }) {
  const ofDefault = { records: data.defaultRecords };
  for (let nth = round === 0 ? -1 : 0; nth < STARTS; nth += 1) {
    for (const name of Object.keys(SERVERS)) {
      const server = await start(name, ofDefault);
      // The first start fills caches; ours saves its compiled code after a second.
      if (nth < 0) await setTimeout(1_500);
      else {
        add('spawn to first 200, ms', name, server.startMs);
        if (name !== 'node:http') add('memory after start, MB', name, server.residentMb());
      }
      await server.stop();
    }
  }
}
