import fc from 'fast-check';
import { bytesOf, growthOf } from '../../src/core/store/bytes-of.js';

const value = fc.jsonValue({ maxDepth: 4 });
/** Values that share some objects, like a state before and after a change. */
const replaced = fc.tuple(fc.array(value), fc.nat(), fc.nat(2), fc.array(value, { maxLength: 2 }));

test('what a value takes more than another is the difference of what both take', () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      expect(growthOf(one, other)).toBe(bytesOf(other) - bytesOf(one));
    }),
  );
  fc.assert(
    fc.property(replaced, ([list, at, count, added]) => {
      const other = list.toSpliced(at % (list.length + 1), count, ...added);
      const [before, after] = [
        { list, count: 1 },
        { list: other, added },
      ];
      expect(growthOf(before, after)).toBe(bytesOf(after) - bytesOf(before));
    }),
  );
});
