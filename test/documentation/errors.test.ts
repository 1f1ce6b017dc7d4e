import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { blocksOf } from '../support/pages.js';

const PAGE = 'docs/errors.md';
const server = await createMockServer();
const shapes = ['problem-json', 'message', 'error-object'].map(
  (shape, nth) => [shape, blocksOf(PAGE, 'json')[nth] ?? ''] as const,
);

describe(PAGE, () => {
  test.each(shapes)('shows an error in the shape %s', async (shape, shown) => {
    const { patch, service } = controlOf(server);
    await patch('/decisions', { 'error-body': shape });
    const { text } = await service.get('/customers/c9');
    expect(JSON.parse(text)).toEqual(JSON.parse(shown));
  });
});
