export default {
  input: '../node_modules/usage-billing-mock/dist/control.openapi.json',
  // Node needs the endings in imports.
  output: { path: 'generated/hey-api', module: { extension: '.js' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
};
