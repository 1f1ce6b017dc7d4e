import globals = require('@jest/globals');
import kit = require('usage-billing-mock/jest');
import playwright = require('usage-billing-mock/playwright');

const mock = kit.useMockServer();
globals.test('closes a contract', () => {
  globals.expect(mock).toHaveReceived('deleteContract');
});

playwright.test('closes a contract', async ({ billing }) => {
  await playwright.expect(billing).toHaveReceived('deleteContract', { timeout: 500 });
});
