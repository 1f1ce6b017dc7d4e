import { createMockServer } from 'usage-billing-mock';

/** Opens the mock, with everything that it does by default. */
export async function open({ dataset }) {
  return (await createMockServer({ dataset })).fetch;
}
