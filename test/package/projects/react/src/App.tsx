import { deleteEvents, findCustomer } from './billing.ts';
import { Measurements } from './Measurements.tsx';
import { Question } from './Question.tsx';

async function showCustomer(name: string) {
  const { address } = await findCustomer(name);
  return `${name}, ${address?.city}`;
}

async function showDeleted(refs: string) {
  return `${await deleteEvents(refs.split(/[\s,]+/))} deleted`;
}

export default function App() {
  return (
    <main>
      <h1>Usage</h1>
      <Question label="Customer" button="Find" answer={showCustomer} />
      <Measurements />
      <Question label="Events" button="Delete" answer={showDeleted} />
    </main>
  );
}
