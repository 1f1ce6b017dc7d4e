import { billing } from '../../billing';

export default async function Customer({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { url, token } = await billing();
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/customers/${id}`, { headers });
  const { customer } = await response.json();
  return <h1>{customer?.name ?? 'nobody'}</h1>;
}
