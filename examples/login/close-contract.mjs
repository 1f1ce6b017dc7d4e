// Logs in, deletes a contract, walks through the measurements and logs out. It knows nothing of the
// mock: BILLING_URL is that of the service, or of
//
//   npx usage-billing-mock --dataset billing.yaml --base-path /v1 --tls-cert cert.pem --tls-key key.pem
//
// BILLING_URL=https://localhost:4010/v1 BILLING_EMAIL=robin@acme.example BILLING_PASSWORD=secret \
//   NODE_EXTRA_CA_CERTS=cert.pem node close-contract.mjs 65b000000000000000000001
const { BILLING_URL, BILLING_EMAIL, BILLING_PASSWORD } = process.env;
const [contractId] = process.argv.slice(2);

const { access_token } = await call('POST', '/login', {
  email: BILLING_EMAIL,
  password: BILLING_PASSWORD,
});
const { contract } = await call('DELETE', `/contracts/${encodeURIComponent(contractId)}`);
let usage = 0;
let count = 0;
for await (const { customerId, value } of measurements()) {
  count += 1;
  if (customerId === contract.customerId) usage += value;
}
await call('POST', '/logout');
const result = { deleted: contract.id, at: contract.deletedAt, usage, count };
process.stdout.write(`${JSON.stringify(result)}\n`);

/** Every measurement, page by page. */
async function* measurements() {
  let cursor;
  do {
    const query = new URLSearchParams({ limit: '1000', ...(cursor && { cursor }) });
    const page = await call('GET', `/measurements?${query}`);
    yield* page.measurements;
    cursor = page.hasMore ? page.nextCursor : undefined;
  } while (cursor);
}

async function call(method, path, body) {
  const response = await fetch(`${BILLING_URL}${path}`, {
    method,
    headers: {
      ...(path !== '/login' && { Authorization: `Bearer ${access_token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? undefined : response.json();
}
