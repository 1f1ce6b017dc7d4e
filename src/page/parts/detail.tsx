import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './controls.js';

interface DetailProps {
  readonly label: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** What a row is opened to: it comes into view with the focus, and Escape closes it. */
export function Detail({ label, title, onClose, children }: DetailProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'nearest' });
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <section
      class="panel detail"
      aria-label={label}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose();
      }}
    >
      <div class="bar">
        <h3 ref={heading} class="wrap" tabIndex={-1}>
          {title}
        </h3>
        <Button onClick={onClose}>Close</Button>
      </div>
      {children}
    </section>
  );
}
