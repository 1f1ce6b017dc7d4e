// Mistakes of users: the lines marked below must not compile.
import { createMockServer, type paths } from 'usage-billing-mock';

export async function makeMistakes(): Promise<void> {
  const server = await createMockServer({
    ports: 4010, // wrong
  });
  await createMockServer({
    decisions: { 'repeat-delete': 'maybe' }, // wrong
  });
  server.account('t').faults.add({ kind: 'explode' }); // wrong
  server.account('t').faults.add({ kind: 'status' }); // wrong
  server.account('t').faults.add({ kind: 'reset', delayMs: 5 }); // wrong
  server.account('t').faults.add({ kind: 'slow', delayMs: 5, phase: 'before' }); // wrong
  server.account('t').decisions.change({ 'rate-limit': '100 a minute' }); // wrong
  server.account('t').contracts.put({ name: 'without an id' }); // wrong
  server.account('t').journal.count({ operationId: 7 }); // wrong
}

export type Nothing = paths['/nothing']; // wrong
