import type { RawRecord } from '@millrace/core/source/source'
import type { Log, LoggedInput } from '../log/log.ts'

/** The durable raw records of a run, to compare with those that a producer sends again. */
export interface StoredRecords {
  /** The number of the first of these records that is not the stored one in its position; undefined if all are. */
  firstDifferent(records: readonly RawRecord[]): Promise<number | undefined>
}

/** Read from the log page by page, as far as somebody compares. The first to be compared has the number `line`. */
export function storedRecords(log: Log, runId: string, line: number): StoredRecords {
  const stored = recordsFrom(log, runId, line)
  let number = line
  return {
    async firstDifferent(records) {
      for (const { text, name } of records) {
        const next = await stored.next()
        if (next.done === true || next.value.text !== text || next.value.name !== name) return number
        number++
      }
      return undefined
    },
  }
}

type ProducerInput = Extract<LoggedInput, { readonly by: 'producer' }>

async function* recordsFrom(log: Log, runId: string, line: number): AsyncGenerator<ProducerInput, void, void> {
  let passed = 0
  for await (const inputs of log.inputs(runId)) {
    for (const input of inputs) if (input.by === 'producer' && passed++ >= line) yield input
  }
}
