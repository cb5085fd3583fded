import type { EntryLines } from './entry-lines.ts'

/** Gets what a reader of a run reads. Neither function may throw. */
export interface ReadingReceiver<Item> {
  add(result: IteratorResult<Item, undefined>): void
  fail(error: unknown): void
}

/** A reader that gives instead of being awaited: no promise is made for what it reads (`bench/rows/serve.ts`). */
export interface GivingReader<Item> {
  /**
   * Gives the receiver one result, now or later, but never within this call: a long run would be read in one deep recursion.
   * MUST NOT be called again before.
   */
  give(receiver: ReadingReceiver<Item>): void
  return(): Promise<unknown>
}

/** The readers of `tail.ts` give. A log that is wrapped may have other ones. */
export function givingReaderOf(lines: AsyncIterable<EntryLines>): GivingReader<EntryLines> {
  return 'give' in lines ? (lines as unknown as GivingReader<EntryLines>) : giving(lines[Symbol.asyncIterator]())
}

const giving = (lines: AsyncIterator<EntryLines, undefined>): GivingReader<EntryLines> => ({
  give: (receiver) =>
    void lines.next().then(
      (result) => receiver.add(result),
      (error: unknown) => receiver.fail(error),
    ),
  return: async () => lines.return?.(),
})
