import type { Api } from '@millrace/core/client'
import type { RawKept } from '@millrace/core/fold'

/** A record as it was sent, and the entry that says that it was not understood. */
export interface UnreadRecord {
  readonly seq: number
  readonly text: string
}

/** The records of a run that were not understood, as far as the run names them. Adjacent ones are requested together. */
export async function readRecords(
  api: Api,
  runId: string,
  { seqs, records }: RawKept,
): Promise<readonly UnreadRecord[]> {
  const ranges = rangesOf([...new Set(records)].sort((one, other) => one - other))
  const answers = await Promise.all(ranges.map(({ from, to }) => api.raw(runId, { from, to, shape: 'objects' })))
  const texts = new Map(answers.flatMap(linesOf).map(({ number, text }) => [number, text]))
  return seqs.map((seq, index) => ({ seq, text: texts.get(records[index] ?? -1) ?? 'The log has no such record.' }))
}

interface Range {
  readonly from: number
  readonly to: number
}

export function rangesOf(numbers: readonly number[]): readonly Range[] {
  const ranges: Range[] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last?.to === number) ranges[ranges.length - 1] = { from: last.from, to: number + 1 }
    else ranges.push({ from: number, to: number + 1 })
  }
  return ranges
}

function linesOf(answer: string): readonly { readonly number: number; readonly text: string }[] {
  return answer
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
