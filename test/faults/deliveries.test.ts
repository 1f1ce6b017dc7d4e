import { describeDeliveries } from './describe-deliveries.js';

describe.each(['a socket', 'server.fetch'] as const)('through %s', (name) => {
  describeDeliveries(name, 'few');
});
