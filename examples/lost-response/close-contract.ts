/** Deletes a contract of the billing service. */
export async function closeContract(url: string, token: string, id: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const remove = () => fetch(`${url}/contracts/${id}`, { method: 'DELETE', headers });
  const response = await remove().catch(remove); // Tries again if the connection breaks.
  const isGone = response.status === 404; // The first attempt has deleted it.
  if (!response.ok && !isGone) throw new Error(`The contract was not closed: ${response.status}`);
}
