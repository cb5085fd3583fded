import { createHash } from 'node:crypto'

/** How many characters are hashed at once: a snapshot could exceed the maximum length of a string. */
const BLOCK = 64 * 1024

/** SHA-256 of `JSON.stringify(value)` for a JSON value, without holding the whole text. */
export function hashOfJson(value: unknown): string {
  const hash = createHash('sha256')
  let block = ''
  write(value, (text) => {
    block += text
    if (block.length < BLOCK) return
    hash.update(block)
    block = ''
  })
  return hash.update(block).digest('hex')
}

type Write = (text: string) => void

function write(value: unknown, out: Write): void {
  if (typeof value !== 'object' || value === null) out(JSON.stringify(value) ?? 'null')
  else if (Array.isArray(value)) writeList(value, out)
  else writeObject(value, out)
}

function writeList(list: readonly unknown[], out: Write): void {
  out('[')
  for (const [index, value] of list.entries()) {
    if (index > 0) out(',')
    write(value, out)
  }
  out(']')
}

function writeObject(object: object, out: Write): void {
  out('{')
  let isFirst = true
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue
    out(`${isFirst ? '' : ','}${JSON.stringify(key)}:`)
    write(value, out)
    isFirst = false
  }
  out('}')
}
