import { useMemo, useState } from 'preact/hooks';
import { parseJson } from '../../core/values/parse-json.js';
import type { ListedAccount } from '../connection/account-list.js';
import { Button, Choice, type Option } from '../parts/controls.js';
import { count, download, formatNumber } from '../parts/format.js';
import { hrefOf, useAddressed } from '../parts/route.js';
import { Table } from '../parts/table.js';
import { Errors } from '../parts/use-action.js';
import { useNames } from '../records/use-records.js';
import { Plot } from './plot.js';
import { ALL, asCsv, byDay, type Entry, rowsOf, sumBy, useUsage } from './use-usage.js';

/** How many customers to list until more are asked for. */
const CUSTOMERS = 25;
/** The most customers to compare; of more, those that were chosen last. */
const COMPARED = 6;
/** Stands for all customers that are compared. */
const SEVERAL = '**';

const RANGES: readonly Option[] = [
  ['', 'all days'],
  ...['7', '31', '92', '366'].map((days): Option => [days, `the last ${days} days`]),
];

export function UsageView({ account: { id: account } }: { readonly account: ListedAccount }) {
  const { usage, isReading, error, all, again, stop } = useUsage(account);
  const customersOf = useAddressed('customers', '[]');
  const chosen = useMemo(() => idsIn(customersOf.value), [customersOf.value]);
  const choose = (ids: readonly string[]) => customersOf.onValue(JSON.stringify(ids));
  const meter = useAddressed('meter', ALL);
  const range = useAddressed('range');
  const [shown, setShown] = useState(CUSTOMERS);

  // While measurements are read, add them up only each time their number has doubled.
  const version = isReading ? Math.floor(Math.log2(usage.seen + 1)) : -usage.seen;
  const found = useMemo(() => {
    const ofMeter = rowsOf(usage, meter.value);
    const last = ofMeter.reduce((latest, [day]) => (day > latest ? day : latest), '');
    const since = firstDay(last, range.value);
    const rows = ofMeter.filter(([day]) => day >= since);
    const sums = sumBy(rows, ([, id]) => id).sort(([, one], [, other]) => other - one);
    const plots = (chosen.length === 0 ? [ALL] : chosen).map((of) => {
      const ofOne = of === ALL ? rows : rows.filter(([, id]) => id === of);
      return { of, rows: ofOne, days: sumBy(ofOne, ([day]) => day).sort(byDay) };
    });
    return { plots: plots.filter(({ days }) => days.length > 0), sums };
  }, [version, chosen, meter.value, range.value]);
  const rows = found.plots.flatMap((plot) => plot.rows);
  const scale = useMemo(() => found.plots.flatMap(({ days }) => days).sort(byDay), [found]);
  const toggle = (id: string) =>
    choose(
      chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-COMPARED),
    );
  const whole = found.sums.reduce((sum, [, value]) => sum + Math.abs(value), 0);
  const customers = [...usage.value.keys()];
  const meters = new Set([...usage.value.values()].flatMap((ofOne) => [...ofOne.keys()]));
  const listed = found.sums.slice(0, shown);
  const nameOf = useNames(account, [...chosen, ...listed.map(([id]) => id)]);
  const isPart = usage.cursor !== undefined;
  const part = isPart ? `, of the first ${count(usage.seen, 'measurement')}` : '';
  const ofMeter = meter.value === ALL ? 'all meters' : `meter ${meterName(meter.value)}`;
  return (
    <>
      <h2 class="hidden">Usage</h2>
      <div class="bar">
        <Choice
          label="Customer"
          options={[
            [ALL, 'all'],
            ...(chosen.length > 1 ? [[SEVERAL, `${chosen.length} compared`] as const] : []),
            ...customers.map((id): Option => [id, nameOf(id)]),
          ]}
          value={chosen.length > 1 ? SEVERAL : (chosen[0] ?? ALL)}
          onValue={(id) => choose(id === ALL ? [] : [id])}
        />
        <Choice
          label="Meter"
          options={[[ALL, 'all'], ...[...meters].map((id): Option => [id, meterName(id)])]}
          {...meter}
        />
        <Choice label="" aria-label="Range" options={RANGES} {...range} />
        <span class="group">
          <span role="status" class="faint">
            {isReading ? 'Loading… ' : ''}
            {(usage.seen > 0 || !isPart) && count(usage.seen, 'measurement')}
            {usage.seen > 0 && isPart ? ' so far' : ''}
          </span>
          {isReading && <Button onClick={stop}>Stop</Button>}
          {!isReading && isPart && <Button onClick={all}>Load all</Button>}
          {!isReading && <Button onClick={again}>Refresh</Button>}
          <Button
            aria-label="Download CSV"
            title="Download as CSV"
            disabled={rows.length === 0}
            onClick={() => download('usage.csv', 'text/csv', asCsv(rows))}
          >
            ↓ CSV
          </Button>
        </span>
      </div>
      <Errors sentences={[error]} />
      {usage.seen === 0 && !isReading && !isPart && (
        <p class="empty">
          This account has no measurements.{' '}
          <a href={hrefOf('records', account, 'measurements', '*')}>Add one</a>
        </p>
      )}
      {usage.seen > 0 && rows.length === 0 && !isReading && (
        <p class="empty">
          No measurements match this selection.{' '}
          <Button onClick={() => [choose([]), meter.onValue(ALL)]}>Show everything</Button>
        </p>
      )}
      {rows.length > 0 && (
        <>
          <div class="panels compared">
            {found.plots.map(({ of, days }) => (
              <Plot
                key={of}
                title={`${of === ALL ? 'All customers' : nameOf(of)}, ${ofMeter}, by day${part}`}
                entries={days}
                scale={scale}
              />
            ))}
          </div>
          <section class="panel totals">
            <h3>
              By customer, {ofMeter}
              {part}
            </h3>
            <p class="faint">Click customers to compare up to {COMPARED} of them.</p>
            <Bars entries={listed} whole={whole} nameOf={nameOf} opened={chosen} onOpen={toggle} />
            {found.sums.length > shown && (
              <Button onClick={() => setShown(shown + CUSTOMERS)}>
                Show more of {found.sums.length}
              </Button>
            )}
          </section>
        </>
      )}
    </>
  );
}

interface BarsProps {
  readonly entries: readonly Entry[];
  /** The sum of the absolute values of all totals. */
  readonly whole: number;
  readonly nameOf: (id: string) => string;
  readonly opened: readonly string[];
  readonly onOpen: (id: string) => void;
}

/** A bar for each customer, largest first; opening one again takes it out of the comparison. */
function Bars({ entries, whole, nameOf, opened, onOpen }: BarsProps) {
  const shareOf = ([, sum]: Entry) => {
    const percent = 100 * (Math.abs(sum) / (whole || 1));
    return (
      <>
        <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect class="track" y="1" width="100" height="8" />
          <rect y="1" width={percent} height="8" />
        </svg>
        <span class="faint">{percent.toFixed(1)}%</span>
      </>
    );
  };
  return (
    <Table
      class="bars"
      caption={<caption class="hidden">Totals by customer</caption>}
      columns={[
        ['Customer', ([id]) => nameOf(id), 'name'],
        ['Total', ([, sum]) => formatNumber(sum), 'number'],
        ['Share of all customers', shareOf, 'share'],
      ]}
      rows={entries}
      keyOf={([id]) => id}
      opening={{ column: 0, opened, onOpen: ([id], isMove) => !isMove && onOpen(id) }}
    />
  );
}

/** The ids in an address; none if it is malformed, because anybody can write one. */
function idsIn(text: string): readonly string[] {
  try {
    return [parseJson(text)].flat().map(String);
  } catch {
    return [];
  }
}

const DAY_MS = 86_400_000;

/** The first day of a range of this many days that ends with `last`. */
function firstDay(last: string, days: string): string {
  const lastMs = Date.parse(last);
  if (days === '' || Number.isNaN(lastMs)) return '';
  return new Date(lastMs - (Number(days) - 1) * DAY_MS).toISOString().slice(0, 10);
}

function meterName(id: string): string {
  return id === '' ? '(no meter)' : id;
}
