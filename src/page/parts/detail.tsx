import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DetailProps {
  readonly label: string;
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** One row of a table, opened beside it; on a narrow screen above it, to which the view then goes. */
export function Detail({ label, title, onClose, children }: DetailProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <section ref={section} class="panel detail" aria-label={label}>
      <div class="bar">
        <h3 class="wrap">{title}</h3>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      {children}
    </section>
  );
}
