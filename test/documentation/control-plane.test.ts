import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { blocksOf, codeIn, textOf } from '../support/pages.js';

const PAGE = 'docs/control-plane.md';
const server = await createMockServer();

describe(PAGE, () => {
  test('shows a retry against a lost response in fifteen lines', () => {
    const [example = ''] = blocksOf(PAGE, 'ts');
    expect(example.trim().split('\n').length).toBeLessThanOrEqual(15);
    expect(example).toContain("phase: 'after'");
    expect(example).toContain('// 404 2');
  });

  test('shows the body of a fault that is accepted', async () => {
    const bodies = codeIn(textOf(PAGE)).filter((code) => code.startsWith('{ "'));
    expect(bodies).toHaveLength(1);
    for (const body of bodies) {
      expect((await controlOf(server).post('/faults', JSON.parse(body))).status).toBe(201);
    }
  });
});
