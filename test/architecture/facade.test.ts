import * as spec from '#spec';

test('tools and the page share at most 30 values of the mock, and one that is new replaces one', () => {
  expect(Object.keys(spec).length).toBeLessThanOrEqual(30);
});
