import { useState } from 'preact/hooks';
import { Choice, type Option, TextField } from '../parts/controls.js';
import { Words } from '../parts/texts.js';
import { Errors } from '../parts/use-action.js';
import { type Facts, type PanelProps, useChange } from './use-situation.js';

type Decision = Facts['decisions'][number];

/** What the specification leaves open, and what is to be assumed. */
export function DecisionsPanel(props: PanelProps) {
  const [text, setText] = useState('');
  const change = useChange(props);
  const found = props.facts.decisions.filter(({ id, question }) =>
    `${id} ${question}`.toLowerCase().includes(text.toLowerCase()),
  );
  const choose = ({ id, values }: Decision, chosen: string) => {
    const value = values.find((one) => String(one.value) === chosen)?.value ?? chosen;
    return change.send('PATCH', '/decisions', { [id]: value });
  };
  return (
    <section class="panel wide">
      <div class="bar">
        <h3>Decisions</h3>
        <TextField label="Search" type="search" value={text} onType={setText} />
      </div>
      <Errors sentences={change.errors} />
      <ul class="decisions">
        {found.map((decision) => (
          <DecisionItem
            key={decision.id}
            decision={decision}
            onChoose={(value) => choose(decision, value)}
          />
        ))}
      </ul>
    </section>
  );
}

interface ItemProps {
  readonly decision: Decision;
  readonly onChoose: (value: string) => void;
}

function DecisionItem({ decision, onChoose }: ItemProps) {
  const { id, section, question, value, default: byDefault, values, isServerWide } = decision;
  const meaning = values.find((one) => one.value === value)?.meaning;
  const unlisted = meaning === undefined ? [[String(value), String(value)] as const] : [];
  const listed = values.map((one): Option => {
    const text = String(one.value);
    return [text, one.value === byDefault ? `${text} (default)` : text];
  });
  return (
    <li class={value === byDefault ? '' : 'changed'}>
      <Choice
        label={
          <span>
            <Words text={question} /> <code>{id}</code> <span class="faint">§ {section}</span>
          </span>
        }
        value={String(value)}
        options={[...unlisted, ...listed]}
        disabled={isServerWide}
        onChoose={onChoose}
      />
      <p class="faint">
        <Words text={meaning} />{' '}
        {isServerWide && 'It applies to the whole server: switch it at the start.'}
      </p>
    </li>
  );
}
