import type { RawRecord } from '@millrace/core/source'
import type { Log, LoggedInput } from '../log/log.ts'

/** The durable raw records of a run, for comparison with those that a producer sends again. */
export interface StoredRecords {
  /** The number of the first record that differs from the stored one; undefined if none does. */
  firstDifferent(records: readonly RawRecord[]): Promise<number | undefined>
}

/** Reads the log page by page, as far as records are compared. The first record to compare has the number `line`. */
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
