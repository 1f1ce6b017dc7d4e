import { useEffect, useRef, useState } from 'preact/hooks';

/** What was read so far; the cursor is empty at the beginning, and undefined at the end. */
interface Read {
  readonly cursor: string | undefined;
}

/** Something long that is read page by page. */
export interface Reading<State extends Read> {
  readonly state: State;
  readonly isReading: boolean;
  readonly error: string | undefined;
  /** Reads on from a state until there is enough, or the end is reached. */
  read(from: State, isEnough: (state: State) => boolean): Promise<void>;
  /** Stops reading; what was read stays. */
  stop(): void;
}

/** Reads page by page with `next`. Nothing is read of another key, nor after the view is closed. */
export function useReading<State extends Read>(
  begin: () => State,
  next: (state: State, signal: AbortSignal) => Promise<State>,
  key: string,
): Reading<State> {
  const [state, setState] = useState(begin);
  const [isReading, setReading] = useState(true);
  const [error, setError] = useState<string>();
  const reading = useRef<AbortController>(undefined);

  useEffect(() => {
    setState(begin);
    return () => reading.current?.abort();
  }, [key]);

  return {
    ...{ state, isReading, error },
    async read(from, isEnough) {
      reading.current?.abort();
      const ending = new AbortController();
      reading.current = ending;
      setReading(true);
      setError(undefined);
      try {
        let read = from;
        do {
          read = await next(read, ending.signal);
          if (ending.signal.aborted) return;
          setState(read);
        } while (read.cursor !== undefined && !isEnough(read));
      } catch (thrown) {
        if (ending.signal.aborted) return;
        setError((thrown as Error).message);
      }
      setReading(false);
    },
    stop() {
      reading.current?.abort();
      setReading(false);
    },
  };
}
