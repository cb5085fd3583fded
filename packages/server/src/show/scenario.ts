import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FORMATS_OF_SHOW } from '@millrace/core/api'

export interface Recording {
  readonly format: string
  /** The lines of the file. */
  readonly records: readonly string[]
}

/** The same scenario in five formats, none of which loses any of it. */
export function readScenario(folder: string): Promise<readonly Recording[]> {
  return Promise.all(
    FORMATS_OF_SHOW.map(async (format) => {
      const text = await readFile(join(folder, `${format}.jsonl`), 'utf8')
      return { format, records: text.split('\n').filter((line) => line !== '') }
    }),
  )
}
