import { writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { postgres } from '../../src/log/postgres.ts'

/** A node that owns one run of a shared log and appends to it until it is killed. Prints what happens, a line each. */

const [, , url = '', ttl = ''] = process.argv
const MOST_APPENDS = 5_000
const PAUSE = 5

const say = (text: string) => writeSync(1, `${text}\n`)

const log = await postgres.open({ folder: '', url, leaseTtl: Number(ttl) })
const owner = await log.join(() => say('lost'))
await log.createRun({ id: 'r', threadId: 't', format: 'agent-lines', parserVersion: 1, attempt: 1, owner })
say('owns')
for (let nth = 0; nth < MOST_APPENDS; nth++) {
  const events = [{ type: 'block-delta', blockId: 'b', text: `${nth + 1}` } as const]
  try {
    await log.append('r', { epoch: 1, afterSeq: nth, afterRaw: 0 }, { inputs: [], events })
    say(`stored ${nth + 1}`)
  } catch (error) {
    say(`refused ${(error as { readonly code?: string }).code}`)
    break
  }
  await setTimeout(PAUSE)
}
await setTimeout(60_000)
