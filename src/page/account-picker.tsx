import type { TargetedEvent } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ListedAccount } from './connection/account-list.js';
import type { Mock } from './connection/use-mock.js';
import { Button, useSettled } from './parts/controls.js';
import { count, partsOf } from './parts/format.js';
import { go } from './parts/route.js';

interface PickerProps {
  readonly mock: Mock;
  /** The view to stay in when another account is chosen. */
  readonly view: string;
}

export function AccountPicker({ mock, view }: PickerProps) {
  const { account, state } = mock.accounts;
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div
      class="picker"
      ref={place}
      onFocusOut={({ relatedTarget }) => {
        if (!place.current?.contains(relatedTarget as Node | null)) setOpen(false);
      }}
    >
      <Button
        ref={button}
        class="chosen"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        title={account?.name}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="hidden">Account: </span>
        <span class="line">{account ? wordsOf(account) : WITHOUT_ACCOUNT[state]}</span>
      </Button>
      {isOpen && <AccountOptions {...{ mock, view }} onClose={close} />}
    </div>
  );
}

const WITHOUT_ACCOUNT: Readonly<Record<string, string>> = {
  loading: 'Loading…',
  gone: 'gone',
  none: 'none yet',
};

function wordsOf({ name, requests, refused, test, closedAt }: ListedAccount): string {
  const of = refused > 0 ? `${refused} of ${requests} refused` : count(requests, 'request');
  const [title, rest] = partsOf(name);
  // The rest of the name comes last: it is cut off where there is little room.
  const closed = closedAt !== undefined && 'closed';
  return [title, test?.outcome ?? of, closed, rest].filter(Boolean).join(' · ');
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function AccountOptions({ mock, view, onClose }: PickerProps & { readonly onClose: () => void }) {
  const { accounts } = mock;
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const text = useSettled(typed);
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    accounts.search(text);
    setActive(0);
  }, [text]);
  useLayoutEffect(() => {
    input.current?.focus();
    return () => accounts.search('');
  }, []);
  const wanted = typed.toLowerCase();
  // The mock also finds an account by its token, which the page does not know.
  const hasSearched = wanted !== '' && accounts.searched === typed;
  const shown = hasSearched
    ? accounts.found
    : accounts.shown.filter(({ name, id }) => `${name} ${id}`.toLowerCase().includes(wanted));
  const choose = (one: ListedAccount | undefined) => {
    if (!one) return;
    accounts.choose(one.id);
    // The rest of the address belongs to the previous account.
    go([view, one.id]);
    onClose();
  };
  const onKeyDown = (event: TargetedEvent<HTMLElement, KeyboardEvent>) => {
    const step = STEPS[event.key];
    if (step !== undefined) setActive(Math.max(0, Math.min(shown.length - 1, active + step)));
    else if (event.key === 'Enter') choose(shown[active]);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    // Escape must close nothing else.
    event.stopPropagation();
  };
  useEffect(() => {
    document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div class="panel options">
      <input
        ref={input}
        role="combobox"
        aria-label="Search accounts"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={list}
        aria-activedescendant={shown.length > 0 ? `${list}-${active}` : undefined}
        placeholder={`Search ${count(accounts.total, 'open account')}, and closed ones`}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div id={list} role="listbox" aria-label="Accounts">
        {shown.map((one, index) => (
          <Button
            key={one.id}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={one.id === accounts.account?.id}
            class={`${index === active ? 'opened' : ''} ${one.test?.outcome === 'failed' ? 'error' : ''}`}
            onClick={() => choose(one)}
          >
            {wordsOf(one)}
          </Button>
        ))}
      </div>
      {shown.length === 0 && (
        <p class="empty">
          {hasSearched && 'No account has this in its name or id, or as its whole token.'}
          {!hasSearched && (wanted === '' ? 'The first request opens an account.' : 'Searching…')}
        </p>
      )}
    </div>
  );
}
