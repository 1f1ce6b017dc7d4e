/** The customer with this name, from the service; in development, from the mock. */
export async function fetchCustomer(name) {
  const response = await fetch(`/billing/customers/name/${encodeURIComponent(name)}`, {
    headers: { Authorization: 'Bearer my-token' },
  });
  const { customer, detail } = await response.json();
  if (!response.ok) throw new Error(detail);
  return customer;
}
