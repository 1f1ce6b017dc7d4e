import { useMockServer as useInJest } from 'usage-billing-mock/jest';
import Environment from 'usage-billing-mock/jest-environment';
import { expect, test } from 'usage-billing-mock/playwright';
import { accountOf } from 'usage-billing-mock/playwright/app';
import { usageBillingMock } from 'usage-billing-mock/vite';
import { useMockServer as useInVitest } from 'usage-billing-mock/vitest';
import type { UserConfig } from 'vite';

export const config: UserConfig = { plugins: [usageBillingMock({ path: '/api', seed: 7 })] };
export const tokens: string[] = [useInJest().token, useInVitest().token];
export class Renamed extends Environment {}

test('closes a contract', async ({ billing, page }) => {
  await billing.account.faults.add({ kind: 'reset' });
  await expect(billing).toHaveReceived('deleteContract');
  await page.goto(billing.url);
  accountOf(new Request(billing.url));
});
