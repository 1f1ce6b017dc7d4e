/** Calls once a frame, however often it is called. */
export function oncePerFrame(act: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    requestAnimationFrame(() => {
      isPlanned = false;
      act();
    });
  };
}

/** Calls once nothing has called it for a while. */
export function onceCalm(act: () => void, calmMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, calmMs);
  };
}
