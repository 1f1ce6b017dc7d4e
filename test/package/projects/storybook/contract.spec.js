import { expect, test } from '@playwright/test';

test('a story in a static Storybook deletes a contract, each time it is shown anew', async ({
  page,
}) => {
  for (const _time of [1, 2]) {
    await page.goto(`${process.env.STORYBOOK_ORIGIN}/iframe.html?id=contract--deletion`);
    const button = page.getByRole('button', { name: 'Delete' });
    await button.click();
    await expect(page.getByRole('status')).toHaveText('200');
    await button.click();
    await expect(page.getByRole('status')).toHaveText('200 404');
  }
});
