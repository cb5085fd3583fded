import { createInterface } from 'node:readline'

/** For tests: one side of a connection of JSON lines. */
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

export const send = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)

/** The next message that fits; the process ends with its input. */
export async function hear(fits = () => true) {
  for (;;) {
    const { value, done } = await lines.next()
    if (done) process.exit(0)
    const message = JSON.parse(value)
    if (fits(message)) return message
  }
}

export function fail() {
  process.stderr.write('The gauge is broken.\n', () => process.exit(3))
  return new Promise(() => {})
}
