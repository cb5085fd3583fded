import type { Framing } from './index.ts'

/** A record as it was sent: its text, and the name of its server-sent event. */
export interface SentRecord {
  readonly text: string
  readonly name?: string | undefined
}

type Write = (records: readonly SentRecord[]) => string

const asLines: Write = (records) => records.map(({ text }) => `${onOneLine(text)}\n`).join('')

const asEvents: Write = (records) =>
  records
    .map(({ text, name }) => {
      const data = text.split(/\r\n|[\r\n]/).map((line) => `data: ${line}\n`)
      return `${name === undefined ? '' : `event: ${name}\n`}${data.join('')}\n`
    })
    .join('')

/** How each framing lays records out. Frames that a transport separates are written one a line. */
const writers: { readonly [F in Framing]: Write } = {
  'json-lines': asLines,
  'json-frames': asLines,
  'json-array': (records) => `[\n${records.map(({ text }) => text).join(',\n')}\n]\n`,
  sse: asEvents,
  auto: (records) => (records.some(({ name }) => name !== undefined) ? asEvents(records) : asLines(records)),
}

/** The bytes of records in their own framing, and the extension of such a file: reading it gives the records again. */
export function writeRecords(framing: string | undefined, records: readonly SentRecord[]): WrittenRecords {
  const name = framing !== undefined && Object.hasOwn(writers, framing) ? (framing as Framing) : 'auto'
  const isSse = name === 'sse' || (name === 'auto' && records.some((each) => each.name !== undefined))
  const extension = isSse ? 'sse' : name === 'json-array' ? 'json' : 'jsonl'
  return { text: writers[name](records), extension }
}

export interface WrittenRecords {
  readonly text: string
  readonly extension: 'jsonl' | 'sse' | 'json'
}

/** A line break between JSON tokens is only layout. */
const onOneLine = (text: string) => text.replace(/[\r\n]+/g, ' ')
