import { SUBJECTS } from '#spec';
import { hasWords, type Option, SearchField, Segments } from '../parts/controls.js';
import { Words } from '../parts/format.js';
import { useAddressed } from '../parts/route.js';
import { Errors } from '../parts/use-action.js';
import { type AccountViewProps, type Facts, useChange } from './use-behaviour.js';

type Decision = Facts['decisions'][number];

const TITLES = [...new Set(Object.values(SUBJECTS))];

const titleOf = ({ id }: Decision) => Object.entries(SUBJECTS).find(([of]) => of === id)?.[1];

export function DecisionsView({ account, behaviour }: AccountViewProps) {
  const search = useAddressed('text');
  const { value: facts, error, reload } = behaviour;
  const change = useChange({ account: account.id, onChange: reload });
  const found = facts?.decisions.filter((decision) => {
    const { id, question, values } = decision;
    const meanings = values.map(({ meaning }) => meaning);
    return hasWords([id, question, titleOf(decision), ...meanings].join(' '), search.value);
  });
  const choose = ({ id, values }: Decision, chosen: string) => {
    const known = values.find((one) => String(one.value) === chosen);
    return change.send('PATCH', '/decisions', { [id]: known?.value ?? chosen });
  };
  return (
    <>
      <h2 class="hidden">Decisions</h2>
      <search class="bar">
        <SearchField label="Search decisions" {...search} />
        <span class="faint">
          What the specification leaves open, and what the mock assumes. A change applies from the
          next response on.
        </span>
      </search>
      <Errors sentences={[error, ...change.errors]} />
      {TITLES.map((title) => {
        const decisions = found?.filter((decision) => titleOf(decision) === title) ?? [];
        if (decisions.length === 0) return null;
        return (
          <section key={title} class="panel decisions">
            <h3>{title}</h3>
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
      {found?.length === 0 && <p class="empty">No decision has this text.</p>}
    </>
  );
}

interface ItemProps {
  readonly decision: Decision;
  readonly onChoose: (value: string) => void;
}

function DecisionItem({ decision, onChoose }: ItemProps) {
  const { id, section, question, value, values, isServerWide } = decision;
  const byDefault = decision.default;
  return (
    <li>
      <p>
        <Words text={question} />{' '}
        <span class="faint">
          <code>{id}</code> § {section}
        </span>
      </p>
      <Segments
        label={<Words text={question} />}
        value={String(value)}
        options={optionsOf(decision)}
        disabled={isServerWide}
        onValue={onChoose}
      />
      <p class="faint" role="status">
        {value !== byDefault && (
          <b class="warn">The default is {String(byDefault)}. From the next response on: </b>
        )}
        <Words text={values.find((one) => one.value === value)?.meaning} />{' '}
        {isServerWide && 'It applies to the whole server: set it with --decide at the start.'}
      </p>
    </li>
  );
}

/** The listed values, and the value in force if it is not one of them. */
function optionsOf({ value, values, default: byDefault }: Decision): Option[] {
  const listed = values.map((one): Option => {
    const text = String(one.value);
    const meaning = one.meaning.replaceAll('`', '');
    return [text, text, one.value === byDefault ? `${meaning} (the default)` : meaning];
  });
  const isListed = values.some((one) => one.value === value);
  return isListed ? listed : [[String(value), String(value)], ...listed];
}
