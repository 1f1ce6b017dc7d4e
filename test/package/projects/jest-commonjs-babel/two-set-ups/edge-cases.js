const { createGlobalSetup } = require('usage-billing-mock/jest/global-setup');

module.exports = createGlobalSetup({ dataset: 'edge-cases' });
