// A part of a page, developed against the mock of `npx usage-billing-mock`; with the Vite plugin,
// the URL is the path that the plugin was given, such as '/billing'.
const MOCK_URL = 'http://127.0.0.1:4010';

interface ResponseBody {
  readonly customer?: { readonly name: string; readonly address: { readonly city: string } };
  readonly detail: string;
}

/** What the page says of a customer, or why there is nothing to say. */
export async function describeCustomer(name: string, url = MOCK_URL): Promise<string> {
  const response = await fetch(`${url}/customers/name/${encodeURIComponent(name)}`, {
    headers: { Authorization: 'Bearer my-token' },
  });
  const { customer, detail } = (await response.json()) as ResponseBody;
  return customer ? `${customer.name}, ${customer.address.city}` : detail;
}
