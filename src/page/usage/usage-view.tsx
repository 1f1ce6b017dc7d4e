import { useCallback, useMemo, useState } from 'preact/hooks';
import { Errors } from '../parts/errors.js';
import { useLoaded } from '../parts/use-loaded.js';
import type { AccountView } from '../view.js';
import { byDay, customerNames, totals } from './collect-usage.js';
import { PlotWithTable } from './plot-with-table.js';
import { useUsage } from './use-usage.js';

/** How many customers the plot of totals has. */
const MOST_CUSTOMERS = 25;

/** The measurements of the account as plots. */
export function UsageView({ account }: AccountView) {
  const { usage, isReading, error, more, again } = useUsage(account.id);
  const names = useLoaded(() => customerNames(account.id), account.id);
  const nameOf = useCallback((id: string) => names.value?.get(id) ?? id, [names.value]);
  const [chosenCustomer, setCustomer] = useState<string>();
  const [chosenMeter, setMeter] = useState<string>();
  const customers = [...usage.sums.keys()];
  const customer = chosenCustomer ?? customers[0] ?? '';
  const meters = [...(usage.sums.get(customer)?.keys() ?? [])];
  const isOfCustomer = chosenMeter !== undefined && meters.includes(chosenMeter);
  const meter = isOfCustomer ? chosenMeter : (meters[0] ?? '');
  const days = useMemo(() => byDay(usage, customer, meter), [usage, customer, meter]);
  const sums = useMemo(() => totals(usage, meter).slice(0, MOST_CUSTOMERS), [usage, meter]);
  return (
    <>
      <h2 class="hidden">Usage</h2>
      <div class="bar">
        <Choice
          label="Customer"
          value={customer}
          options={customers}
          textOf={nameOf}
          onChoose={setCustomer}
        />
        <Choice
          label="Meter"
          value={meter}
          options={meters}
          textOf={(id) => id}
          onChoose={setMeter}
        />
        <span role="status">
          {isReading ? 'Reading… ' : ''}
          {usage.seen} measurements{usage.cursor === undefined ? '' : ' so far'}
        </span>
        {!isReading && usage.cursor !== undefined && (
          <button type="button" onClick={more}>
            Read more
          </button>
        )}
        {!isReading && (
          <button type="button" onClick={again}>
            Read again
          </button>
        )}
      </div>
      <Errors sentences={[error]} />
      {usage.seen === 0 && !isReading && <p class="empty">This account has no measurements.</p>}
      {days.length > 0 && (
        <div class="panels">
          <PlotWithTable
            title={`${nameOf(customer)}, meter ${meter}, by day`}
            column="Day"
            rows={days}
          />
          <PlotWithTable
            title={`Meter ${meter}, total by customer`}
            column="Customer"
            rows={sums}
            textOf={nameOf}
          />
        </div>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly textOf: (option: string) => string;
  readonly onChoose: (option: string) => void;
}

function Choice({ label, value, options, textOf, onChoose }: ChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {textOf(option)}
          </option>
        ))}
      </select>
    </label>
  );
}
