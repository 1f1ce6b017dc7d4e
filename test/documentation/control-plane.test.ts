import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { codeIn, textOf } from '../support/pages.js';

const PAGE = 'docs/control-plane.md';
const server = await createMockServer();

describe(PAGE, () => {
  test('shows the body of a fault that is accepted', async () => {
    const bodies = codeIn(textOf(PAGE)).filter((code) => code.startsWith('{ "'));
    expect(bodies).toHaveLength(1);
    for (const body of bodies) {
      expect((await controlOf(server).post('/faults', JSON.parse(body))).status).toBe(201);
    }
  });
});
