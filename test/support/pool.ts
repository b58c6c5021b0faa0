/** Runs `work` for every item, at most `atOnce` at a time; an item that waits blocks no other. */
export async function runPool<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>
): Promise<void> {
  const waiting = items.values()
  async function take(): Promise<void> {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, take))
}
