import type { Wired } from './protocols.ts'

/** A stream that makes its next value when that is asked for. */
export function streamOf<Value>(count: number, at: (index: number) => Value): ReadableStream<Value> {
  let index = 0
  return new ReadableStream<Value>({
    pull(controller) {
      if (index === count) controller.close()
      else controller.enqueue(at(index++))
    },
  })
}

export function parsedStream(lines: readonly string[]): ReadableStream<Wired> {
  return streamOf(lines.length, (index) => JSON.parse(lines[index] as string) as Wired)
}

export async function lastOf(values: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown
  for await (const value of values) last = value
  return last
}
