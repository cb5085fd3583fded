import { describe, expect, it } from 'vitest'
import { ofType, recordsOf, through } from '../../../test/parse.ts'
import { createReader } from '../../read/read.ts'
import { agUi } from '../ag-ui.ts'

type Raw = { readonly type: string; readonly [field: string]: unknown }

const read = (...raws: readonly Raw[]) => through(createReader(agUi), recordsOf(raws))

describe('the limits of AG-UI', () => {
  it.each([64 * 1024, 64 * 1024 + 4])('an image of %i characters is a file, with its bytes or its size', (length) => {
    const data = 'A'.repeat(length)
    const content = [{ type: 'image', source: { type: 'data', value: data, mimeType: 'image/png' } }]
    const [file] = ofType(read({ type: 'TOOL_CALL_RESULT', toolCallId: 'c1', content }), 'file')
    const isLarge = length > 64 * 1024
    expect(file?.url).toBeUndefined()
    expect(file?.bytes).toBe(isLarge ? undefined : data)
    expect(file?.meta).toEqual(isLarge ? { millrace: { size: (length / 4) * 3 } } : undefined)
  })

  it('a text of a stream that is too long to be remembered is neither rewritten nor drawn again', () => {
    const delta = 'x'.repeat(8 * 1024 * 1024)
    const events = read(
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'Short.' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: 'y' },
      {
        type: 'MESSAGES_SNAPSHOT',
        messages: [
          { id: 'm1', role: 'assistant', content: 'Another text.' },
          { id: 'm2', role: 'assistant', content: 'Another text.' },
        ],
      },
    )
    expect(ofType(events, 'block-start').map(({ blockId }) => blockId)).toEqual(['m1', 'm2'])
    expect(ofType(events, 'block-patch')).toEqual([])
  })

  it('of endlessly many questions, the newest are answered by the next run', () => {
    const ids = Array.from({ length: 9000 }, (_, index) => `q${index}`)
    const outcome = { type: 'interrupt', interrupts: ids.map((id) => ({ id, message: 'Really?' })) }
    const parser = agUi.create()
    const push = (value: Raw) => parser.push(value, { text: '', value, name: undefined, problem: undefined })
    push({ type: 'RUN_FINISHED', outcome })
    const answers = push({ type: 'RUN_STARTED' }).filter(({ type }) => type === 'approval')
    expect(answers.map((event) => 'approvalId' in event && event.approvalId)).toEqual(ids.slice(-8192))
  })

  it('of endlessly many texts that never end, the oldest is forgotten', () => {
    const parser = agUi.create()
    const push = (value: Raw) => parser.push(value, { text: '', value, name: undefined, problem: undefined })
    for (let at = 0; at <= 1024; at++) push({ type: 'TEXT_MESSAGE_START', messageId: `m${at}` })
    expect(push({ type: 'TEXT_MESSAGE_END', messageId: 'm0' })).toEqual([])
    expect(push({ type: 'TEXT_MESSAGE_END', messageId: 'm1' })[0]).toEqual({ type: 'block-end', blockId: 'm1' })
  })
})
