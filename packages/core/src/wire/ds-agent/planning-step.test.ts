import { describe, expect, it } from 'vitest'
import type { Step } from './message.ts'
import { planningContent, planningEnd, planningHeader } from './planning-step.ts'

const first: Step = { kind: 'planning', number: 1, planningType: 'initial' }
const later: Step = { kind: 'planning', number: 3, planningType: 'update' }
const spent = { usage: { inputTokens: 1234, outputTokens: 5 }, duration: 1.2, extra: {} }

describe('a planning step', () => {
  it('S2-31: is a header, its content, a footer and a separator', () => {
    const { content, metadata } = planningContent(first).whole('1. Ask.', false)
    const drafts = [planningHeader(first), { content, metadata }, ...planningEnd(first, spent)]
    expect(drafts.map((draft) => draft.metadata.message_type)).toEqual([
      'planning_header',
      'planning_content',
      'planning_footer',
      'separator',
    ])
    for (const draft of drafts) {
      expect(draft.metadata).toMatchObject({ component: 'chat', step_type: 'planning', step_number: 1 })
    }
  })

  it('S2-16: is the first plan or an updated one', () => {
    expect(planningHeader(first).metadata).toMatchObject({ planning_type: 'initial', agent_status: 'initial_planning' })
    expect(planningHeader(later).metadata).toMatchObject({ planning_type: 'update', agent_status: 'update_planning' })
    expect(planningEnd(later, spent)[0]?.content).toMatch(/^Updated planning step/)
  })

  it('S2-36: has a header without content, which is a badge', () => {
    expect(planningHeader(first)).toMatchObject({ content: '', metadata: { component: 'chat', status: 'done' } })
  })

  it('S2-37: keeps the markdown of a plan unchanged', () => {
    const plan = '## Plan\n\n1. *Ask*\n2. `answer`\n'
    expect(planningContent(first).whole(plan, true).content).toBe(plan)
  })

  it('S2-38: has tokens and duration as text and as data', () => {
    const [footer] = planningEnd(first, spent)
    expect(footer).toMatchObject({
      content: 'Initial planning step | Input tokens: 1,234 | Output tokens: 5 | Duration: 1.2s',
      metadata: {
        token_usage: { input_tokens: 1234, output_tokens: 5, total_tokens: 1239 },
        timing: { duration: 1.2 },
        footer_label: 'Initial planning step',
      },
    })
  })

  it('S2-38: has no counts if there are none', () => {
    const [footer] = planningEnd(first, { usage: {}, duration: undefined, extra: {} })
    expect(footer?.content).toBe('Initial planning step')
    expect(footer?.metadata).not.toHaveProperty('token_usage')
    expect(footer?.metadata).not.toHaveProperty('timing')
  })
})
