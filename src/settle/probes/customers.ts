import { MADE_UP_NAME, madeUpIdLike } from '../made-up.js';
import { measuredCustomerIds, type SeenCustomer } from '../seen-customers.js';
import {
  isAsked,
  meetCustomers,
  usefulAlias,
  usefulExternalId,
  usefulName,
} from './meet-customers.js';
import type { Ask, Known, Probe } from './probe.js';

/** Customers by ids, externalIds, names and aliases. */
export const CUSTOMER_PROBES: readonly Probe[] = [
  {
    requests: 'GET /customers/{customerId} with the ids of customers, at most eight',
    tells: ['customer-id-matches', 'optional-fields', 'enum-values', 'undocumented-fields'],
    send: async (ask, known) => {
      await meetCustomers(ask, known);
    },
  },
  {
    requests: 'GET /customers/{customerId} with the externalId and the id of a customer',
    tells: ['customer-id-matches'],
    send: async (ask, known) => {
      for (const customer of worthBoth(await meetCustomers(ask, known), known)) {
        await getById(ask, known, customer.id);
        await getById(ask, known, usefulExternalId(customer));
      }
    },
  },
  {
    requests: 'GET /customers/name/{name} with a name, the name in another case, and an alias',
    tells: ['name-matches'],
    send: async (ask, known) => {
      const customers = await meetCustomers(ask, known);
      const [name] = namesOf(customers);
      await getByName(ask, known, name);
      await getByName(ask, known, name && swapCase(name));
      await getByName(ask, known, usefulAlias(customers));
    },
  },
  {
    requests: 'GET /customers/name/{name} with a name that two customers have, if one is seen',
    tells: ['duplicate-name'],
    send: async (ask, known) => {
      const names = (await meetCustomers(ask, known)).flatMap(({ name }) => name ?? []);
      const shared = names.find((name, index) => names.indexOf(name) < index);
      await getByName(ask, known, shared);
    },
  },
  {
    requests: 'GET /customers/{customerId} and GET /customers/name/{name} that do not exist',
    tells: ['unknown-identifier-status', 'error-body'],
    send: async (ask, known) => {
      const [customer] = await meetCustomers(ask, known);
      const [measured] = measuredCustomerIds(known.exchanges);
      await getById(ask, known, madeUpIdLike(customer?.id ?? measured));
      await getByName(ask, known, MADE_UP_NAME);
    },
  },
];

/** Those that the user has named, and the first other with an externalId of its own. */
function worthBoth(customers: readonly SeenCustomer[], known: Known): readonly SeenCustomer[] {
  const isNamed = ({ id, externalId }: SeenCustomer) =>
    known.customers.includes(id) || known.customers.includes(externalId ?? id);
  const worth = customers.filter(usefulExternalId);
  const named = worth.filter(isNamed);
  return named.length > 0 ? named : worth.slice(0, 1);
}

/** Names with letters, those of customers whose aliases are known first: they leave less open. */
function namesOf(customers: readonly SeenCustomer[]): readonly string[] {
  const open = customers.filter(({ aliases }) => aliases === undefined);
  const sorted = [...customers.filter((customer) => !open.includes(customer)), ...open];
  return sorted.flatMap((customer) => usefulName(customer) ?? []);
}

function swapCase(name: string): string {
  return name.replaceAll(/[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

async function getById(ask: Ask, known: Known, customerId: string | undefined): Promise<void> {
  if (customerId === undefined || isAsked(known.exchanges, 'customerId', customerId)) return;
  await ask({ operationId: 'getCustomer', path: { customerId } });
}

async function getByName(ask: Ask, known: Known, name: string | undefined): Promise<void> {
  if (name === undefined || isAsked(known.exchanges, 'name', name)) return;
  await ask({ operationId: 'getCustomerByName', path: { name } });
}
