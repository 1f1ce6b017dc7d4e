// What a user of the package may not write: the lines marked below must not compile.
import { createMockServer, type paths } from 'usage-billing-mock';

export async function makeMistakes(): Promise<void> {
  const server = await createMockServer({
    ports: 4010, // wrong
  });
  await createMockServer({
    decisions: { 'repeat-delete': 'maybe' }, // wrong
  });
  server.account('t').faults.add({ kind: 'explode' }); // wrong
  server.account('t').contracts.put({ name: 'without an id' }); // wrong
  server.account('t').journal.count({ operationId: 7 }); // wrong
}

export type Nothing = paths['/nothing']; // wrong
