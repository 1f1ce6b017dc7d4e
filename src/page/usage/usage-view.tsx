import { useMemo, useState } from 'preact/hooks';
import type { ListedAccount } from '../connection/account-list.js';
import { Button, Choice, type Option, useEntered } from '../parts/controls.js';
import { hrefOf } from '../parts/route.js';
import { Table } from '../parts/table.js';
import { count, download, formatNumber } from '../parts/texts.js';
import { Errors } from '../parts/use-action.js';
import { useNames } from '../records/use-records.js';
import { Plot } from './plot.js';
import { ALL, asCsv, byDay, type Entry, rowsOf, sumBy, useUsage } from './use-usage.js';

/** How many customers are listed until more are asked for. */
const CUSTOMERS = 25;

const RANGES: readonly Option[] = [
  ['', 'all days'],
  ['7', 'the last 7 days'],
  ['31', 'the last 31 days'],
  ['92', 'the last 92 days'],
  ['366', 'the last 366 days'],
];

/** The measurements of the account: by day, and by customer. */
export function UsageView({ account: { id: account } }: { readonly account: ListedAccount }) {
  const { usage, isReading, error, all, again, stop } = useUsage(account);
  const customer = useEntered<string>('customer of usage', ALL);
  const meter = useEntered<string>('meter of usage', ALL);
  const range = useEntered('range of usage', '');
  const [shown, setShown] = useState(CUSTOMERS);

  // While many are read, the more there are the less often they are added up.
  const version = isReading ? Math.floor(Math.log2(usage.seen + 1)) : -usage.seen;
  const found = useMemo(() => {
    const ofMeter = rowsOf(usage, meter.value);
    const last = ofMeter.reduce((latest, [day]) => (day > latest ? day : latest), '');
    const since = firstDay(last, range.value);
    const rows = ofMeter.filter(([day]) => day >= since);
    const isShown = (id: string) => customer.value === ALL || customer.value === id;
    const ofCustomer = rows.filter(([, id]) => isShown(id));
    const sums = sumBy(rows, ([, id]) => id).sort(([, one], [, other]) => other - one);
    return { rows: ofCustomer, days: sumBy(ofCustomer, ([day]) => day).sort(byDay), sums };
  }, [version, customer.value, meter.value, range.value]);
  const customers = [...usage.value.keys()];
  const meters = new Set([...usage.value.values()].flatMap((ofOne) => [...ofOne.keys()]));
  const listed = found.sums.slice(0, shown);
  const nameOf = useNames(
    account,
    [customer.value, ...listed.map(([id]) => id)].filter((id) => id !== ALL),
  );
  const isPart = usage.cursor !== undefined;
  const part = isPart ? `, of the first ${count(usage.seen, 'measurement')}` : '';
  const of = [
    customer.value === ALL ? 'All customers' : nameOf(customer.value),
    meter.value === ALL ? 'all meters' : `meter ${meterName(meter.value)}`,
  ].join(', ');
  return (
    <>
      <h2 class="hidden">Usage</h2>
      <div class="bar">
        <Choice
          label="Customer"
          options={[[ALL, 'all'], ...customers.map((id): Option => [id, nameOf(id)])]}
          {...customer}
        />
        <Choice
          label="Meter"
          options={[[ALL, 'all'], ...[...meters].map((id): Option => [id, meterName(id)])]}
          {...meter}
        />
        <Choice label="" aria-label="Range" options={RANGES} {...range} />
        <span class="group">
          <span role="status" class="faint">
            {isReading ? 'Reading… ' : ''}
            {count(usage.seen, 'measurement')}
            {isPart ? ' so far' : ''}
          </span>
          {isReading && <Button onClick={stop}>Stop</Button>}
          {!isReading && isPart && <Button onClick={all}>Read all</Button>}
          {!isReading && <Button onClick={again}>Read again</Button>}
          <Button
            disabled={found.rows.length === 0}
            onClick={() => download('usage.csv', 'text/csv', asCsv(found.rows))}
          >
            <span class="hidden">Download </span>CSV
          </Button>
        </span>
      </div>
      <Errors sentences={[error]} />
      {usage.seen === 0 && !isReading && (
        <p class="empty">
          This account has no measurements.{' '}
          <a href={hrefOf('records', account, 'measurements', '*')}>Add one</a>
        </p>
      )}
      {usage.seen > 0 && found.rows.length === 0 && !isReading && (
        <p class="empty">
          This customer has nothing of this meter.{' '}
          <Button onClick={() => meter.onValue(ALL)}>Show all meters</Button>
        </p>
      )}
      {found.days.length > 0 && (
        <div class="panels">
          <Plot title={`${of}, by day${part}`} entries={found.days} />
          <section class="panel wide">
            <h3>
              By customer, {meter.value === ALL ? 'all meters' : `meter ${meterName(meter.value)}`}
              {part}
            </h3>
            <Bars
              entries={listed}
              nameOf={nameOf}
              opened={customer.value}
              onOpen={customer.onValue}
            />
            {found.sums.length > shown && (
              <Button onClick={() => setShown(shown + CUSTOMERS)}>
                Show more of {found.sums.length}
              </Button>
            )}
          </section>
        </div>
      )}
    </>
  );
}

interface BarsProps {
  readonly entries: readonly Entry[];
  readonly nameOf: (id: string) => string;
  readonly opened: string;
  readonly onOpen: (id: string) => void;
}

/** A bar for each customer, the largest first; one that is opened again shows all. */
function Bars({ entries, nameOf, opened, onOpen }: BarsProps) {
  const largest = Math.max(...entries.map(([, sum]) => Math.abs(sum)));
  const barOf = ([, sum]: Entry) => (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect y="1" width={(Math.abs(sum) / (largest || 1)) * 100} height="8" />
    </svg>
  );
  return (
    <Table
      class="bars"
      caption={<caption class="hidden">Totals by customer</caption>}
      columns={[
        ['Customer', ([id]) => nameOf(id), 'name'],
        ['Total', ([, sum]) => formatNumber(sum), 'number'],
        ['Share', barOf, 'timeline'],
      ]}
      rows={entries}
      keyOf={([id]) => id}
      opening={{ column: 0, opened, onOpen: ([id]) => onOpen(id === opened ? ALL : id) }}
    />
  );
}

const DAY_MS = 86_400_000;

/** The first day of a range that ends with this one. */
function firstDay(last: string, days: string): string {
  const lastMs = Date.parse(last);
  if (days === '' || Number.isNaN(lastMs)) return '';
  return new Date(lastMs - (Number(days) - 1) * DAY_MS).toISOString().slice(0, 10);
}

function meterName(id: string): string {
  return id === '' ? '(no meter)' : id;
}
