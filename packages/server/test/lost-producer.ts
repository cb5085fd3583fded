import { type Serving, text } from './serving.ts'

const line = (content: string) => `${JSON.stringify(text(content))}\n`

/** A producer whose body the test writes, and which can disappear. */
export function producing({ ask }: Serving, query: string) {
  const gone = new AbortController()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own
    },
  })
  const init = { method: 'POST', body, duplex: 'half', signal: gone.signal } as const
  const answer = ask(`/api/ingest?format=agent-lines&runId=r&threadId=t&${query}`, init)
  answer.catch(() => {})
  return {
    answer,
    write: (content: string) => controller?.enqueue(new TextEncoder().encode(line(content))),
    end: () => controller?.close(),
    vanish: () => gone.abort(),
  }
}
