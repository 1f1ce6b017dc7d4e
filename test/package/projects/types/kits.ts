import { useMockServer as useInJest } from 'usage-billing-mock/jest';
import startForJest from 'usage-billing-mock/jest/global-setup';
import Environment from 'usage-billing-mock/jest-environment';
import { expect, test } from 'usage-billing-mock/playwright';
import { accountOf } from 'usage-billing-mock/playwright/app';
import startForPlaywright from 'usage-billing-mock/playwright/global-setup';
import { usageBillingMock } from 'usage-billing-mock/vite';
import { useMockServer as useInVitest } from 'usage-billing-mock/vitest';
import startForVitest from 'usage-billing-mock/vitest/global-setup';
import type { UserConfig } from 'vite';

export const config: UserConfig = { plugins: [usageBillingMock({ path: '/api', seed: 7 })] };
export const starts = [startForJest, startForPlaywright, startForVitest];
export const tokens: string[] = [useInJest().token, useInVitest().token];
export class Renamed extends Environment {}

test('closes a contract', async ({ billing, page }) => {
  await billing.account.faults.add({ kind: 'reset' });
  await expect(billing).toHaveReceived('deleteContract');
  await page.goto(billing.url);
  accountOf(new Request(billing.url));
});
