/** Deletes a contract of the billing service, and tries again if the connection breaks. */
export async function closeContract(url: string, token: string, id: string): Promise<void> {
  const remove = () =>
    fetch(`${url}/contracts/${id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${token}` },
    });
  const response = await remove().catch(remove);
  const isGone = response.status === 404; // The first attempt has deleted it.
  if (!response.ok && !isGone) throw new Error(`The contract was not closed: ${response.status}`);
}
