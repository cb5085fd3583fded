import type { Api } from '@millrace/core/client'
import type { SentRecord } from '@millrace/core/lens'
import { troubleText } from '../../trouble.ts'

/** The records of a run as they were sent, as far as they have been read. */
export interface Records {
  get(number: number): SentRecord | undefined
  /** Why the last page could not be read. */
  failure(): string | undefined
  /** Reads the pages of these records that are not here. */
  want(numbers: readonly number[]): void
}

/** So many records are read at once. */
const PAGE = 250

export interface RecordPages extends Records {
  /** How many pages have come: it changes when there is something new to draw. */
  version(): number
  subscribe(listener: () => void): () => void
  /** These records, once they are here. */
  all(numbers: readonly number[]): Promise<readonly SentRecord[]>
}

export function createRecordPages(api: Pick<Api, 'raw'>, runId: string): RecordPages {
  const records = new Map<number, SentRecord>()
  const asked = new Map<number, Promise<void>>()
  const listeners = new Set<() => void>()
  let version = 0
  let failure: string | undefined

  /** A page of a run that goes on may be incomplete, and one that failed is empty: what it lacks is asked for again. */
  async function readPage(page: number): Promise<void> {
    try {
      failure = undefined
      const lines = await api.raw(runId, { from: page * PAGE, to: (page + 1) * PAGE, shape: 'objects' })
      for (const line of lines.split('\n')) {
        if (line === '') continue
        const { number, text, name } = JSON.parse(line) as SentRecord & { readonly number: number }
        records.set(number, { text, ...(name !== undefined && { name }) })
      }
    } catch (cause) {
      failure = troubleText(cause)
      throw cause
    } finally {
      asked.delete(page)
      version++
      for (const listener of [...listeners]) listener()
    }
  }

  function pageOf(number: number): Promise<void> {
    const page = Math.floor(number / PAGE)
    const reading = asked.get(page) ?? readPage(page)
    if (!asked.has(page)) asked.set(page, reading)
    return reading
  }

  return {
    get: (number) => records.get(number),
    failure: () => failure,
    want(numbers) {
      for (const number of numbers) if (!records.has(number)) pageOf(number).catch(() => undefined)
    },
    version: () => version,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    async all(numbers) {
      for (const number of numbers) if (!records.has(number)) await pageOf(number)
      return numbers.flatMap((number) => records.get(number) ?? [])
    },
  }
}
