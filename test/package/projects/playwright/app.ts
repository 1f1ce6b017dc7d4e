import { createServer } from 'node:http';
import { accountOf } from 'usage-billing-mock/playwright/app';

export const app = createServer(async (request, response) => {
  try {
    const { url, token } = accountOf(request);
    const found = await fetch(`${url}/customers/c1`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const { customer } = (await found.json()) as { customer?: { name: string } };
    response.end(`<h1>${customer?.name ?? 'nobody'}</h1>`);
  } catch (error) {
    response.writeHead(500).end((error as Error).message);
  }
});
