import { createHash } from 'node:crypto'

const LONGEST = 64
const HASH = 8

/** Ids that every model takes, one per tool: a server may name its tools with any characters, and at any length. */
export function toolIdsOf(server: string, tools: readonly { readonly name: string }[]): readonly string[] {
  const used = new Set<string>()
  return tools.map(({ name }) => {
    const plain = `mcp__${server}__${name.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}`
    const id = plain.length > LONGEST || used.has(plain) ? shortened(plain, name) : plain
    used.add(id)
    return id
  })
}

/** The hash of the name itself tells names apart that look alike. */
function shortened(plain: string, name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH)
  return `${plain.slice(0, LONGEST - HASH - 1)}_${hash}`
}
