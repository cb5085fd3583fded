const LONGEST = 1024

/** The id of the last server-sent event that came whole, for services that are asked for what follows it. */
export function createLastId() {
  const decoder = new TextDecoder('latin1')
  let line = ''
  let pending: string | undefined
  let last: string | undefined

  function end(): void {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    if (text.startsWith('id:')) pending = text.slice(3).trim()
    else if (text === '') last = pending ?? last
    line = ''
  }

  return {
    feed(bytes: Uint8Array): void {
      const [first = '', ...rest] = decoder.decode(bytes).split('\n')
      line = (line + first).slice(0, LONGEST)
      for (const next of rest) {
        end()
        line = next.slice(0, LONGEST)
      }
    },
    last: () => last,
  }
}
