import { useState } from 'preact/hooks';
import { call } from '../connection/call.js';
import { Errors } from '../parts/errors.js';
import { useAction } from '../parts/use-action.js';
import { Words } from '../parts/words.js';
import type { PanelProps } from './panel-props.js';
import type { Facts } from './use-situation.js';

type Decision = Facts['decisions'][number];

interface DecisionsProps extends PanelProps {
  readonly decisions: readonly Decision[];
}

/** What the specification leaves open, and what is to be assumed. */
export function DecisionsPanel({ account, decisions, onChange }: DecisionsProps) {
  const [text, setText] = useState('');
  const action = useAction(onChange);
  const sought = text.toLowerCase();
  const found = decisions.filter(({ id, question }) =>
    `${id} ${question}`.toLowerCase().includes(sought),
  );
  const choose = ({ id, values }: Decision, chosen: string) => {
    const value = values.find((one) => String(one.value) === chosen)?.value ?? chosen;
    return action.run(() =>
      call('/decisions', { method: 'PATCH', account, body: { [id]: value } }),
    );
  };
  return (
    <section class="panel wide">
      <div class="bar">
        <h3>Decisions</h3>
        <label>
          Search{' '}
          <input
            type="search"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
      </div>
      <Errors sentences={action.errors} />
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
  const isListed = meaning !== undefined;
  return (
    <li class={value === byDefault ? '' : 'changed'}>
      <label>
        <span>
          <Words text={question} /> <code>{id}</code> <span class="faint">§ {section}</span>
        </span>
        <select
          value={String(value)}
          disabled={isServerWide}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        >
          {!isListed && <option>{String(value)}</option>}
          {values.map((one) => (
            <option key={String(one.value)} value={String(one.value)}>
              {String(one.value)}
              {one.value === byDefault ? ' (default)' : ''}
            </option>
          ))}
        </select>
      </label>
      <p class="faint">
        <Words text={meaning} />{' '}
        {isServerWide && 'It applies to the whole server: switch it at the start.'}
      </p>
    </li>
  );
}
