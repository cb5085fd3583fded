import { getParser } from '@millrace/core/parse'
import { getSource } from '@millrace/core/source'
import { eventsOf } from '@millrace/testkit/read-recording'
import type { StreamEvent } from '../packages/core/src/events.ts'
import { aiSdkChunks } from '../proofs/wires/readers/ai-sdk.ts'

/** A line of stdout, as the agents of the first document print it. */
export const line = (type: string, data: object = {}) => ({ type, data })

/** The events of these lines, by the document's name for the framework. */
export function eventsAs(format: string, ...lines: readonly object[]): StreamEvent[] {
  const source = getSource('json-lines')()
  const text = lines.map((each) => JSON.stringify(each)).join('\n')
  return eventsOf(getParser(format), [...source.feed(new TextEncoder().encode(text)), ...source.end()])
}

const FRAMING: ReadonlySet<unknown> = new Set(['start', 'message-metadata', 'finish'])

/** The chunks of a run in the mobox profile, without start and finish, each as one line. */
export function linesOf(format: string, ...lines: readonly object[]): string[] {
  return aiSdkChunks(eventsAs(format, ...lines), 'mobox')
    .filter(({ type }) => !FRAMING.has(type))
    .map(({ type, id, toolCallId, toolName, delta, input, output, data, errorText }) =>
      [
        type,
        id ?? toolCallId,
        toolName,
        ...[delta, input, output, data, errorText].map((value) => JSON.stringify(value)),
      ]
        .filter((word) => word !== undefined)
        .join(' '),
    )
}

const BOUNDARY = /^(text|reasoning)-(start|end)/

/** The same without the starts and ends of blocks: the target of a row of the document's tables. */
export const mapped = (format: string, ...lines: readonly object[]): string[] =>
  linesOf(format, ...lines).filter((chunk) => !BOUNDARY.test(chunk))
