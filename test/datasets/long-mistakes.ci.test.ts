import { createMockServer } from '../../src/index.js';
import { writeFixture } from '../support/fixture.js';

const LENGTH = 400_000;
const times = (text: string) => text.repeat(LENGTH / text.length);

describe('a fixture of 400 kB is refused in no more time than its length asks for, if it has', () => {
  // The YAML library has copied the whole line, or compared with all keys, for each mistake.
  test.each([
    ['one anchor after the other', times('&a '), 'A node can have at most one anchor'],
    ['one tag after the other', times('!a '), 'A node can have at most one tag'],
    ['one quoted text after the other', times('""'), 'Unexpected'],
    ['one comma after the other', `[${times(',')}`, 'Unexpected , in flow sequence'],
    [
      'one key after the other, and the last one twice',
      `${Array.from({ length: LENGTH / 10 }, (_, nth) => `k${nth}: 1\n`).join('')}k0: 2`,
      ':40001:1 is not YAML: Map keys must be unique.',
    ],
  ])(
    '%s',
    async (_words, text, sentence) => {
      const startedAt = process.cpuUsage().user;
      const dataset = writeFixture(text, 'long.yaml');
      await expect(createMockServer({ dataset })).rejects.toThrow(sentence);
      expect(process.cpuUsage().user - startedAt).toBeLessThan(10_000_000);
    },
    120_000,
  );
});
