import { type Option, SearchField, Segments, useEntered } from '../parts/controls.js';
import { Words } from '../parts/format.js';
import { Errors } from '../parts/use-action.js';
import { type Facts, type PanelProps, useChange } from './use-behaviour.js';

type Decision = Facts['decisions'][number];

const CHANGED = 'Changed';

/** What the sections of the specification are about; the first whose number one begins with has it. */
const GROUPS: readonly (readonly [section: string, title: string])[] = [
  ['3', 'deleteContract'],
  ['4.2', 'getCustomerByName'],
  ['4.3', 'getCustomer'],
  ['4.4', 'listMeasurements'],
  ['4.5', 'deleteEventsByRefs'],
  ['2', 'Records'],
  ['4', 'Every operation'],
  ['7', 'Errors'],
  ['', 'Tokens and limits'],
];

const isDefault = ({ value, default: byDefault }: Decision) => value === byDefault;

function groupOf(decision: Decision): string {
  if (!isDefault(decision)) return CHANGED;
  return GROUPS.find(([section]) => decision.section.startsWith(section))?.[1] ?? '';
}

/** What the specification leaves open, and what is to be assumed: changed first, then by operation. */
export function DecisionsPanel(props: PanelProps) {
  const search = useEntered('search of decisions', '');
  const change = useChange(props);
  const found = props.facts.decisions.filter(({ id, question, values }) =>
    [id, question, ...values.map(({ meaning }) => meaning)]
      .join(' ')
      .toLowerCase()
      .includes(search.value.toLowerCase()),
  );
  const choose = ({ id, values }: Decision, chosen: string) => {
    const known = values.find((one) => String(one.value) === chosen);
    return change.send('PATCH', '/decisions', { [id]: known?.value ?? chosen });
  };
  return (
    <section class="panel wide">
      <div class="bar">
        <h3>Decisions</h3>
        <SearchField label="Search decisions" {...search} />
      </div>
      <Errors sentences={change.errors} />
      {[CHANGED, ...GROUPS.map(([, title]) => title)].map((title) => {
        const decisions = found.filter((decision) => groupOf(decision) === title);
        if (decisions.length === 0) return null;
        return (
          <section key={title} class={title === CHANGED ? 'decisions changed' : 'decisions'}>
            <h4>{title}</h4>
            <ul>
              {decisions.map((decision) => (
                <DecisionItem
                  key={decision.id}
                  decision={decision}
                  onChoose={(chosen) => choose(decision, chosen)}
                />
              ))}
            </ul>
          </section>
        );
      })}
      {found.length === 0 && <p class="empty">No decision contains this text.</p>}
    </section>
  );
}

interface ItemProps {
  readonly decision: Decision;
  readonly onChoose: (value: string) => void;
}

function DecisionItem({ decision, onChoose }: ItemProps) {
  const { id, section, question, value, values, isServerWide } = decision;
  return (
    <li>
      <p>
        <Words text={question} />{' '}
        <span class="faint">
          <code>{id}</code> § {section}
        </span>
      </p>
      <Segments
        label={question}
        value={String(value)}
        options={optionsOf(decision)}
        disabled={isServerWide}
        onValue={onChoose}
      />
      <p class="faint">
        <Words text={values.find((one) => one.value === value)?.meaning} />{' '}
        {isServerWide && 'This decision applies to the whole server: switch it at the start.'}
      </p>
    </li>
  );
}

/** The values that are listed, and that in force if it is not one of them. */
function optionsOf({ value, values, default: byDefault }: Decision): Option[] {
  const listed = values.map((one): Option => {
    const text = String(one.value);
    return [text, text, one.value === byDefault ? `${one.meaning} (the default)` : one.meaning];
  });
  const isListed = values.some((one) => one.value === value);
  return isListed ? listed : [[String(value), String(value)], ...listed];
}
