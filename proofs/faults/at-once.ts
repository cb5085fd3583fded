/** Works on all items, `most` at a time; the results are in the order of the items. */
export async function atOnce<Item, Result>(
  most: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const workers = Array.from({ length: Math.min(most, items.length) }, async () => {
    for (const [index, item] of waiting) results[index] = await work(item, index)
  })
  await Promise.all(workers)
  return results
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
