import { createMockServer } from '../../src/index.js';
import { controlOf } from '../support/control.js';
import { blocksOf } from '../support/pages.js';

const PAGE = 'docs/errors.md';
const server = await createMockServer();

describe(PAGE, () => {
  test('shows an error as the mock sends it', async () => {
    const [shown = ''] = blocksOf(PAGE, 'json');
    const { text } = await controlOf(server).service.get('/customers/c9');
    expect(JSON.parse(text)).toEqual(JSON.parse(shown));
  });
});
