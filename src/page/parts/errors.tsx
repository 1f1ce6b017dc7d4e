/** Says why something was refused. */
export function Errors({ sentences }: { readonly sentences: readonly (string | undefined)[] }) {
  const shown = sentences.filter((sentence) => sentence !== undefined);
  return (
    <div role="alert">
      {shown.map((sentence) => (
        <p key={sentence} class="error">
          {sentence}
        </p>
      ))}
    </div>
  );
}
