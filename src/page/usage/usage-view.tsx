import { useMemo, useState } from 'preact/hooks';
import { count } from '../parts/count.js';
import { Errors } from '../parts/errors.js';
import type { AccountView } from '../view.js';
import { byDay, totals, type Usage } from './collect-usage.js';
import { PlotWithTable } from './plot-with-table.js';
import { useNames } from './use-names.js';
import { useUsage } from './use-usage.js';

/** How many customers the plot of totals has. */
const MOST_CUSTOMERS = 25;

/** The measurements of the account as plots. */
export function UsageView({ account }: AccountView) {
  const reading = useUsage(account.id);
  const { usage, isReading, error } = reading;
  const { customer, setCustomer, customers, meter, setMeter, meters } = useChoice(usage);
  const days = useMemo(() => byDay(usage, customer, meter), [usage, customer, meter]);
  const sums = useMemo(() => totals(usage, meter).slice(0, MOST_CUSTOMERS), [usage, meter]);
  const nameOf = useNames(account.id, [customer, ...sums.map(([id]) => id)]);
  const isPart = usage.cursor !== undefined;
  const part = isPart ? `, of the first ${count(usage.seen, 'measurement')}` : '';
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
          textOf={meterName}
          onChoose={setMeter}
        />
        <Progress reading={reading} />
      </div>
      <Errors sentences={[error]} />
      {usage.seen === 0 && !isReading && <p class="empty">This account has no measurements.</p>}
      {days.length > 0 && (
        <div class="panels">
          <PlotWithTable
            title={`${nameOf(customer)}, meter ${meterName(meter)}, by day with measurements${part}`}
            column="Day"
            rows={days}
          />
          <PlotWithTable
            title={`Meter ${meterName(meter)}, total by customer${part}`}
            column="Customer"
            rows={sums}
            textOf={nameOf}
          />
        </div>
      )}
    </>
  );
}

/** Which customer and which of its meters is looked at; the first of each until one is chosen. */
function useChoice({ sums }: Usage) {
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

/** How much was read, and what leads on. */
function Progress({ reading }: { readonly reading: ReturnType<typeof useUsage> }) {
  const { usage, isReading, all, again, stop } = reading;
  const isPart = usage.cursor !== undefined;
  return (
    <>
      <span role="status">
        {isReading ? 'Reading… ' : ''}
        {count(usage.seen, 'measurement')}
        {isPart ? ' so far' : ''}
      </span>
      {isReading && (
        <button type="button" onClick={stop}>
          Stop
        </button>
      )}
      {!isReading && isPart && (
        <button type="button" onClick={all}>
          Read all
        </button>
      )}
      {!isReading && (
        <button type="button" onClick={again}>
          Read again
        </button>
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
