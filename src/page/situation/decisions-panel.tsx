import { Choice, type Option, TextField, useEntered } from '../parts/controls.js';
import { Words } from '../parts/texts.js';
import { Errors } from '../parts/use-action.js';
import { type Facts, type PanelProps, useChange } from './use-situation.js';

type Decision = Facts['decisions'][number];

/** What the specification leaves open, and what is to be assumed. */
export function DecisionsPanel(props: PanelProps) {
  const search = useEntered('');
  const change = useChange(props);
  const found = props.facts.decisions.filter(({ id, question }) =>
    `${id} ${question}`.toLowerCase().includes(search.value.toLowerCase()),
  );
  const itemOf = (decision: Decision) => {
    const { id, section, question, value, values, isServerWide } = decision;
    const choose = (chosen: string) => {
      const known = values.find((one) => String(one.value) === chosen);
      return change.send('PATCH', '/decisions', { [id]: known?.value ?? chosen });
    };
    return (
      <li key={id} class={value === decision.default ? '' : 'changed'}>
        <Choice
          label={
            <span>
              <Words text={question} /> <code>{id}</code> <span class="faint">§ {section}</span>
            </span>
          }
          value={String(value)}
          options={optionsOf(decision)}
          disabled={isServerWide}
          onValue={choose}
        />
        <p class="faint">
          <Words text={values.find((one) => one.value === value)?.meaning} />{' '}
          {isServerWide && 'It applies to the whole server: switch it at the start.'}
        </p>
      </li>
    );
  };
  return (
    <section class="panel wide">
      <div class="bar">
        <h3>Decisions</h3>
        <TextField label="Search" type="search" {...search} />
      </div>
      <Errors sentences={change.errors} />
      <ul class="decisions">{found.map(itemOf)}</ul>
    </section>
  );
}

/** The values that are listed, and that in force if it is not one of them. */
function optionsOf({ value, values, default: byDefault }: Decision): Option[] {
  const listed = values.map((one): Option => {
    const text = String(one.value);
    return [text, one.value === byDefault ? `${text} (default)` : text];
  });
  const isListed = values.some((one) => one.value === value);
  return isListed ? listed : [[String(value), String(value)], ...listed];
}
