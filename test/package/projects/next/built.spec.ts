import { expect, test } from '@playwright/test';

test('the built app calls the service that its variables name', async ({ page }) => {
  await page.goto('/customers/65a000000000000000000001');
  await expect(page.getByRole('heading')).toHaveText('Acme Corporation');
});
