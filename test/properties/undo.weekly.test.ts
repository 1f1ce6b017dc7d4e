import { compareCourses } from './undo-courses.js';

test('going back to before a request undoes what ran since, or is refused, in 500 courses', async () => {
  const { undone, refused } = await compareCourses(500);
  expect(Math.min(undone, refused)).toBeGreaterThan(100);
});
