import type { ComponentChildren } from 'preact';
import { Errors } from './use-action.js';

interface PanelFrame {
  readonly title: string;
  readonly errors: readonly (string | undefined)[];
  readonly children: ComponentChildren;
}

export function Panel({ title, errors, children }: PanelFrame) {
  return (
    <section class="panel">
      <h3>{title}</h3>
      {children}
      <Errors sentences={errors} />
    </section>
  );
}
