import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './controls.js';

interface DetailProps {
  readonly label: string;
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** On narrow screens, details are shown above all rows instead of beside them. */
const NARROW = '(max-width: 900px)';

/** The details of a row. Escape closes them, too; if the focus is inside, it returns to the row. */
export function Detail({ label, title, onClose, children }: DetailProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const row = useRef<HTMLElement | null>(null);
  const close = useRef(onClose);
  close.current = () => {
    row.current = document.querySelector('main tr.opened button.open');
    onClose();
  };
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement;
    // Otherwise the focus stays in the row, for the arrow keys to go on from there.
    if (matchMedia(NARROW).matches || !opener.closest('tr')) {
      heading.current?.focus({ preventScroll: true });
      heading.current?.scrollIntoView({ block: 'nearest' });
    }
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !document.querySelector('dialog[open]')) close.current();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      const focused = document.activeElement;
      if (focused?.closest('main') && !focused.closest('.detail')) return;
      if (opener.isConnected && opener !== document.body) opener.focus();
      else row.current?.focus();
    };
  }, []);
  return (
    <section class="panel detail" aria-label={label}>
      <div class="bar">
        <h3 ref={heading} class="wrap" tabIndex={-1}>
          {title}
        </h3>
        <Button onClick={() => close.current()}>Close</Button>
      </div>
      {children}
    </section>
  );
}
