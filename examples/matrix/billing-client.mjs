/**
 * A client of the billing service that somebody might have written. It assumes three things that
 * the specification does not say; `usage-billing-mock matrix` finds them.
 */
export function createBillingClient({ url, token }) {
  async function call(method, path, body) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    // Assumes that a success is always 200.
    if (response.status !== 200) throw new Error(`${method} ${path} failed: ${response.status}`);
    return response.json();
  }

  return {
    async deleteContract(id) {
      return (await call('DELETE', `/contracts/${encodeURIComponent(id)}`)).contract;
    },

    async deleteEvents(refs) {
      return (await call('POST', '/events/delete-by-refs', { refs })).events;
    },

    async countMeasurements() {
      let count = 0;
      let cursor;
      do {
        const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page = await call('GET', `/measurements?limit=1000${query}`);
        count += page.measurements.length;
        cursor = page.nextCursor;
        // Assumes that there is no nextCursor once the listing ends.
      } while (cursor !== undefined);
      return count;
    },
  };
}

/** What a contract costs, in words. */
export function priceOf({ products = [] }) {
  return products.map(({ pricing }) => {
    const { type = 'ONE_TIME', price = 0 } = pricing ?? {};
    switch (type) {
      case 'ONE_TIME':
        return `${price} once`;
      default:
        // Assumes that the only pricing type that is shown is the only one there is.
        throw new Error(`Unknown pricing type ${type}`);
    }
  });
}
