import type { Log } from '@millrace/server/log/log'

type Lines = ReturnType<Log['lines']>
type Added = Lines extends AsyncIterable<infer Item> ? Item : never

export interface Reading {
  opened?(): void
  /** Called with the next entries; throws to fail the read. */
  given?(added: Added): void
  closed?(): void
}

/** A log that says who reads it. Like a log's own readers, one that waits ends when it is returned. */
export function readingOf<Source extends Pick<Log, 'lines'>>(log: Source, { opened, given, closed }: Reading): Source {
  const lines: Log['lines'] = (...asked) => {
    const reader = log.lines(...asked)[Symbol.asyncIterator]()
    let isOpen = false
    const close = () => {
      if (isOpen) closed?.()
      isOpen = false
    }
    return {
      [Symbol.asyncIterator]() {
        return this
      },
      async next() {
        if (!isOpen) opened?.()
        isOpen = true
        const next = await reader.next()
        if (next.done === true) close()
        else given?.(next.value)
        return next
      },
      async return() {
        close()
        return reader.return?.() ?? { done: true, value: undefined }
      },
    } as AsyncIterableIterator<Added>
  }
  return { ...log, lines }
}
