/** Does a task for each item, up to `jobs` of them at a time. */
export async function inParallel<Item>(
  items: readonly Item[],
  jobs: number,
  task: (item: Item, place: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const work = async () => {
    for (const [place, item] of queue) await task(item, place);
  };
  await Promise.all(Array.from({ length: jobs }, work));
}
