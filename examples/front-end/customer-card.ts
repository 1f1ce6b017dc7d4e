// A part of a page, developed against the mock that `npx usage-billing-mock` serves; with the plugin
// of Vite, the URL is the path that the plugin was given, such as '/billing'.
const MOCK_URL = 'http://127.0.0.1:4010';

interface Answer {
  readonly customer?: { readonly name: string; readonly address: { readonly city: string } };
  readonly detail: string;
}

/** What the page says of a customer, or why there is nothing to say. */
export async function describeCustomer(name: string, url = MOCK_URL): Promise<string> {
  const answer = await fetch(`${url}/customers/name/${encodeURIComponent(name)}`, {
    headers: { Authorization: 'Bearer my-token' },
  });
  const { customer, detail } = (await answer.json()) as Answer;
  return customer ? `${customer.name}, ${customer.address.city}` : detail;
}
