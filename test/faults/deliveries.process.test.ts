import { DOORS } from '../support/doors.js';
import { type DoorName, describeDeliveries } from './describe-deliveries.js';

describe.each(Object.keys(DOORS) as DoorName[])('through %s', (name) => {
  describeDeliveries(name, ['a socket', 'server.fetch'].includes(name) ? 'many' : 'few');
});
