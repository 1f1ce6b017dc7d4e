import billing = require('usage-billing-mock');
import client = require('usage-billing-mock/client');

async function open(token: string): Promise<billing.AccountControl> {
  return (await billing.createMockServer()).account(token);
}
export = { open, connect: client.connectMockServer };
