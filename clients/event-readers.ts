/** A chunk as a client got it: its cursor and its data. */
export type Got = readonly [id: string, data: string]

/** Reads a stream until it has so many chunks, and a while longer: what comes twice is seen. */
export type ReadEvents = (url: string, count: number) => Promise<readonly Got[]>

/** What is at the end of a stream of the AI SDK, without a cursor. */
const TERMINATOR = '[DONE]'
const WHILE_LONGER = 700
const PATIENCE = 40_000

/** Collects chunks. Resolves a while after the last expected one; rejects if they do not all come. */
export function collect(count: number): {
  add(id: string, data: string): void
  readonly done: Promise<readonly Got[]>
} {
  const got: Got[] = []
  const { promise, resolve, reject } = Promise.withResolvers<readonly Got[]>()
  const late = setTimeout(() => reject(new Error(`Got ${got.length} of ${count} chunks.`)), PATIENCE)
  return {
    add(id, data) {
      if (data === TERMINATOR) return
      got.push([id, data])
      if (got.length !== count) return
      clearTimeout(late)
      setTimeout(() => resolve(got), WHILE_LONGER)
    },
    done: promise,
  }
}

interface Source {
  onmessage: ((event: { readonly lastEventId: string; readonly data: string }) => void) | null
  close(): void
}

/** Reads with an `EventSource`, of the browser or of a package. */
export const readBy =
  (open: (url: string) => Source): ReadEvents =>
  async (url, count) => {
    const { add, done } = collect(count)
    const source = open(url)
    source.onmessage = ({ lastEventId, data }) => add(lastEventId, data)
    return done.finally(() => source.close())
  }
