/** A text in which names of code stand between backticks, as the document has them. */
export function Words({ text = '' }: { readonly text?: string | undefined }) {
  const parts = text.split('`').map((part, index) => ({ part, isCode: index % 2 === 1, index }));
  return (
    <>{parts.map(({ part, isCode, index }) => (isCode ? <code key={index}>{part}</code> : part))}</>
  );
}
