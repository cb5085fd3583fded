import type { ToolSegment } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import { describe, expect, it } from 'vitest'
import { editableInput, offersSession } from './editable.ts'

const call = (name: string, input?: Json, request?: Json): ToolSegment => ({
  type: 'tool',
  callId: 'c',
  name,
  runBy: 'agent',
  state: 'approval',
  startedAt: 0,
  seqs: [1, 1],
  ...(input !== undefined && { input }),
  approval: { approvalId: 'a', state: 'requested', ...(request !== undefined && { request }) },
})

describe('the input of a call that a person may change', () => {
  it('is the command alone; everything else of the input stays', () => {
    const editable = editableInput(call('Bash', { command: 'rm -r dist', timeout: 5 }))
    expect(editable?.text).toBe('rm -r dist')
    expect(editable?.read('ls dist')).toEqual({ input: { command: 'ls dist', timeout: 5 } })
  })

  it('is JSON for any other call; what is not valid has a problem and no input', () => {
    const editable = editableInput(call('restart', { service: 'edge', hard: true }))
    expect(JSON.parse(editable?.text ?? '')).toEqual({ service: 'edge', hard: true })
    expect(editable?.read('{"service":"core"}')).toEqual({ input: { service: 'core' } })
    expect(editable?.read('{"service":')).toEqual({ problem: expect.any(String) })
  })

  it('is nothing without an input, or if the agent takes only its own options', () => {
    expect(editableInput(call('restart'))).toBeUndefined()
    expect(editableInput(call('Bash', { command: 'ls' }, { options: [] }))).toBeUndefined()
  })
})

it('an approval for the session is offered only if the request offers it', () => {
  const offering: readonly Json[] = [
    { remember: ['session'] },
    { remember: 'session' },
    { permission_suggestions: [{ type: 'addRules' }] },
    { options: [{ kind: 'allow_once' }, { kind: 'allow_always' }] },
  ]
  const others: readonly (Json | undefined)[] = [
    undefined,
    'session',
    {},
    { remember: ['project'] },
    { permission_suggestions: [] },
    { options: ['allow_always', { kind: 'allow_once' }] },
  ]
  expect(offering.map(offersSession)).toEqual([true, true, true, true])
  expect(others.some(offersSession)).toBe(false)
})
