/** The customer with this name, from the service; in development, from the mock. */
export async function fetchCustomer(name) {
  const answer = await fetch(`/billing/customers/name/${encodeURIComponent(name)}`, {
    headers: { Authorization: 'Bearer my-token' },
  });
  const { customer, detail } = await answer.json();
  if (!answer.ok) throw new Error(detail);
  return customer;
}
