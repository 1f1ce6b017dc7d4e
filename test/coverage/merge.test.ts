import { fraction } from '../../src/core/datasets/generate/random-per-record.js';
import { type Coverage, createMockServer } from '../../src/index.js';
import { addCoverage, lostRows, shareOf } from '../../src/mock/coverage/merge.js';

const { rows, ...empty } = (await createMockServer()).coverage();

/** A coverage with random counts, some of them 0. */
function coverageBy(random: () => number): Coverage {
  return {
    ...empty,
    rows: rows.map((row) => {
      const count = random() < 0.5 ? 0 : Math.floor(random() * 1_000);
      const triedAgain = Math.floor(count * random());
      return {
        ...row,
        count,
        isReachable: count > 0 || random() < 0.5,
        ...('triedAgain' in row && { triedAgain, noFurther: count - triedAgain }),
      };
    }),
  };
}

describe('coverages that are added up', () => {
  test.each(Array.from({ length: 30 }, (_, nth) => nth))('lose no count (seed %i)', (seed) => {
    let drawn = 0;
    const random = () => {
      drawn += 1;
      return fraction(seed, drawn);
    };
    const parts = Array.from({ length: 4 }, () => coverageBy(random));
    const [a, b, c, d] = parts as [Coverage, Coverage, Coverage, Coverage];
    const sum = addCoverage(addCoverage(addCoverage(a, b), c), d);
    expect(addCoverage(addCoverage(d, a), addCoverage(c, b))).toEqual(sum);
    for (const [nth, row] of sum.rows.entries()) {
      const own = parts.map((part) => part.rows[nth]);
      const total = own.reduce((before, one) => before + (one?.count ?? 0), 0);
      expect([row.row, row.count]).toEqual([row.row, total]);
      expect(row.isReachable).toBe(own.some((one) => one?.isReachable));
      if (row.triedAgain !== undefined) expect(row.triedAgain + (row.noFurther ?? 0)).toBe(total);
    }
    expect(lostRows(sum, a)).toEqual([]);
    expect(shareOf(sum.rows).percent).toBeGreaterThanOrEqual(0);
  });
});
