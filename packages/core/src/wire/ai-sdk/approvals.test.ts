import { describe, expect, it } from 'vitest'
import { chunksOfEach } from '../../../test/wire/ai-sdk.ts'
import type { EventOf, StreamEvent } from '../../events.ts'

const called: StreamEvent[] = [
  { type: 'tool-start', callId: 'c', name: 'delete', runBy: 'agent' },
  { type: 'tool-input', callId: 'c', input: {} },
]
const approval = (state: EventOf<'approval'>['state'], fields: Partial<EventOf<'approval'>> = {}): StreamEvent => ({
  type: 'approval',
  approvalId: 'p',
  state,
  ...fields,
})
const ofCall = (state: EventOf<'approval'>['state'], fields: Partial<EventOf<'approval'>> = {}): StreamEvent =>
  approval(state, { callId: 'c', ...fields })
const output: StreamEvent = { type: 'tool-output', callId: 'c', status: 'ok', output: 1 }
const restart = { type: 'start', messageId: 'run' }
const pause = { type: 'finish', finishReason: 'tool-calls' }
const typesOfEach = (...events: readonly StreamEvent[]) =>
  chunksOfEach(events).map((chunks) => chunks.map((chunk) => chunk.type))

describe('an approval', () => {
  it('finishes the response; later events start another response of the same message', () => {
    const each = chunksOfEach([
      ...called,
      ofCall('requested', { message: 'Sure?', request: { a: 1 } }),
      ofCall('approved'),
    ])
    expect(each.slice(2)).toEqual([
      [
        {
          type: 'tool-approval-request',
          approvalId: 'p',
          toolCallId: 'c',
          reason: 'Sure?',
          approvalDescriptor: { a: 1 },
        },
        pause,
      ],
      [restart, { type: 'tool-approval-response', approvalId: 'p', approved: true }],
    ])
  })

  it('whose call went on counts as a yes: the client refuses an output of a call that was not approved', () => {
    const each = chunksOfEach([...called, ofCall('requested'), ofCall('expired', { reason: 'went-on' }), output])
    const millrace = { runBy: 'agent', approval: 'expired', reason: 'went-on' }
    expect(each[3]).toEqual([
      restart,
      { type: 'tool-approval-response', approvalId: 'p', approved: true, providerMetadata: { millrace } },
    ])
  })

  it('carries how long it is valid and the approved input in our own fields', () => {
    const more = { remember: 'session', input: { path: 'b' } } as const
    const [, , , ofTool] = chunksOfEach([...called, ofCall('requested'), ofCall('approved', more)])
    expect(ofTool?.[1]).toMatchObject({ approved: true, providerMetadata: { millrace: { runBy: 'agent', ...more } } })
    const [, alone] = chunksOfEach([approval('requested'), approval('approved', more)])
    expect(alone?.[1]).toMatchObject({ approved: true, providerMetadata: { millrace: { question: true, ...more } } })
  })

  it('finishes the step with the response, once', () => {
    const step: StreamEvent = { type: 'step-start', kind: 'model' }
    const each = typesOfEach(step, ...called, ofCall('requested'), ofCall('denied'), { type: 'step-end' })
    expect(each.slice(3)).toEqual([
      ['tool-approval-request', 'finish-step', 'finish'],
      ['start', 'tool-approval-response'],
      [],
    ])
  })

  it('waits until nothing is open', () => {
    const block: StreamEvent = { type: 'block-start', blockId: 't', kind: 'text' }
    const each = typesOfEach(...called, block, ofCall('requested'), { type: 'block-end', blockId: 't' })
    expect(each.slice(3)).toEqual([['tool-approval-request'], ['text-end', 'finish']])
  })

  it('that is answered before the response could finish does not finish it', () => {
    const block: StreamEvent = { type: 'block-start', blockId: 't', kind: 'text' }
    const each = typesOfEach(...called, block, ofCall('requested'), ofCall('approved'), {
      type: 'block-end',
      blockId: 't',
    })
    expect(each.slice(4)).toEqual([['tool-approval-response'], ['text-end']])
  })

  it('that the run ends with has already finished the response', () => {
    const end: StreamEvent = { type: 'run-end', outcome: 'awaiting-input' }
    expect(typesOfEach(...called, ofCall('requested'), end).at(-1)).toEqual([])
    expect(typesOfEach(...called, end).at(-1)).toEqual(['finish'])
  })

  it('of a run that is interrupted finishes once more, with the reason', () => {
    const end: StreamEvent = { type: 'run-end', outcome: 'interrupted' }
    const finish = { type: 'finish', finishReason: 'other', messageMetadata: { aborted: true, outcome: 'interrupted' } }
    expect(chunksOfEach([...called, ofCall('requested'), end]).at(-1)).toEqual([restart, finish])
  })

  it('keeps an answer that is more than yes or no', () => {
    const [, response] =
      chunksOfEach([...called, ofCall('requested'), ofCall('answered', { answer: { pick: 2 } })]).at(-1) ?? []
    expect(response).toMatchObject({
      approved: true,
      providerMetadata: { millrace: { approval: 'answered', answer: { pick: 2 } } },
    })
    const [, expired] = chunksOfEach([...called, ofCall('requested'), ofCall('expired')]).at(-1) ?? []
    expect(expired).toMatchObject({ approved: false, providerMetadata: { millrace: { approval: 'expired' } } })
  })

  it('that is answered after the output, or after a second approval, does not change the part', () => {
    expect(typesOfEach(...called, ofCall('requested'), output, ofCall('approved')).at(-1)).toEqual([
      'start',
      'data-approval',
    ])
    const second = ofCall('requested', { approvalId: 'q' })
    expect(typesOfEach(...called, ofCall('requested'), second, ofCall('approved')).at(-1)).toEqual([
      'start',
      'data-approval',
      'finish',
    ])
  })

  it('without a call is a call of its own, which clients can answer', () => {
    const each = chunksOfEach([approval('requested', { message: 'Go on?' }), approval('answered', { answer: 'yes' })])
    const call = { toolCallId: 'question/p', dynamic: true, providerExecuted: true }
    const start = { ...call, toolName: 'question', title: 'Go on?', providerMetadata: { millrace: { question: true } } }
    const millrace = { question: true, approval: 'answered', answer: 'yes' }
    expect(each).toEqual([
      [
        { type: 'tool-input-start', ...start },
        { type: 'tool-input-available', ...start, input: { message: 'Go on?' } },
        { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'question/p', reason: 'Go on?' },
        pause,
      ],
      [
        restart,
        { type: 'tool-approval-response', approvalId: 'p', approved: true, providerMetadata: { millrace } },
        { type: 'tool-output-available', ...call, output: 'yes' },
      ],
    ])
    const denied = typesOfEach(approval('requested'), approval('denied')).at(-1)
    expect(denied).toEqual(['start', 'tool-approval-response', 'tool-output-denied'])
  })

  it('that is answered while another is open finishes the response again, also behind what follows', () => {
    const second = ofCall('requested', { approvalId: 'q' })
    const each = typesOfEach(...called, approval('requested'), second, approval('approved'), output)
    expect(each.slice(4)).toEqual([
      ['start', 'tool-approval-response', 'tool-output-available', 'finish'],
      ['start', 'tool-output-available', 'finish'],
    ])
  })
})
