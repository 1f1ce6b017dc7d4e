import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';

test('the build has nothing of the mock', () => {
  const files = readdirSync('dist/assets').map((file) =>
    readFileSync(`dist/assets/${file}`, 'utf8'),
  );
  expect(files.join('')).toContain('/customers/name/');
  expect(files.join('')).not.toMatch(/usage-billing-mock|__control/);
});
