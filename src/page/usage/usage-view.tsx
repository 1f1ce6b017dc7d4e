import { useMemo, useState } from 'preact/hooks';
import type { ListedAccount } from '../connection/account-list.js';
import { Button, Choice, type Option } from '../parts/controls.js';
import { count } from '../parts/texts.js';
import { Errors } from '../parts/use-action.js';
import { Plot } from './plot.js';
import { byDay, type Entry, totals, type Usage, useNames, useUsage } from './use-usage.js';

/** How many customers the plot of totals has. */
const MOST_CUSTOMERS = 25;

/** The measurements of the account as plots. */
export function UsageView({ account: { id: account } }: { readonly account: ListedAccount }) {
  const { usage, isReading, error, all, again, stop } = useUsage(account);
  const { customer, setCustomer, customers, meter, setMeter, meters } = useChoice(usage);
  const days = useMemo(() => byDay(usage, customer, meter), [usage, customer, meter]);
  const sums = useMemo(() => totals(usage, meter).slice(0, MOST_CUSTOMERS), [usage, meter]);
  const nameOf = useNames(account, [customer, ...sums.map(([id]) => id)]);
  const named = useMemo(() => sums.map(([id, sum]): Entry => [nameOf(id), sum]), [sums, nameOf]);
  const isPart = usage.cursor !== undefined;
  const part = isPart ? `, of the first ${count(usage.seen, 'measurement')}` : '';
  return (
    <>
      <h2 class="hidden">Usage</h2>
      <div class="bar">
        <Choice
          label="Customer"
          value={customer}
          options={customers.map((id): Option => [id, nameOf(id)])}
          onValue={setCustomer}
        />
        <Choice
          label="Meter"
          value={meter}
          options={meters.map((id): Option => [id, meterName(id)])}
          onValue={setMeter}
        />
        <span role="status">
          {isReading ? 'Reading… ' : ''}
          {count(usage.seen, 'measurement')}
          {isPart ? ' so far' : ''}
        </span>
        {isReading && <Button onClick={stop}>Stop</Button>}
        {!isReading && isPart && <Button onClick={all}>Read all</Button>}
        {!isReading && <Button onClick={again}>Read again</Button>}
      </div>
      <Errors sentences={[error]} />
      {usage.seen === 0 && !isReading && <p class="empty">This account has no measurements.</p>}
      {days.length > 0 && (
        <div class="panels">
          <Plot
            title={`${nameOf(customer)}, meter ${meterName(meter)}, by day with measurements${part}`}
            column="Day"
            entries={days}
          />
          <Plot
            title={`Meter ${meterName(meter)}, total by customer${part}`}
            column="Customer"
            entries={named}
          />
        </div>
      )}
    </>
  );
}

/** Which customer and which of its meters is looked at; the first of each until one is chosen. */
function useChoice({ value: sums }: Usage) {
  const [chosenCustomer, setCustomer] = useState<string>();
  const [chosenMeter, setMeter] = useState<string>();
  const customers = [...sums.keys()];
  const customer = chosenCustomer ?? customers[0] ?? '';
  const meters = [...(sums.get(customer)?.keys() ?? [])];
  const isOfCustomer = chosenMeter !== undefined && meters.includes(chosenMeter);
  const meter = isOfCustomer ? chosenMeter : (meters[0] ?? '');
  return { customer, setCustomer, customers, meter, setMeter, meters };
}

function meterName(id: string): string {
  return id === '' ? '(no meter)' : id;
}
