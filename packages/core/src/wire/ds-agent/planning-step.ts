import { footerOf, type Spent, separatorOf } from './footer.ts'
import { type Draft, draftOf, headOf, type MessageTemplate, type Step, shownOf } from './message.ts'

const PLANNING = { kind: 'planning' } as const

/** The badge, which has no content. */
export function planningHeader(step: Step): Draft {
  return draftOf(headOf('planning_header', PLANNING, step), '', { ...statusOf(step), is_active: true })
}

/** The plan itself, in markdown. */
export function planningContent(step: Step): MessageTemplate {
  const first = (is_active: boolean) => ({
    ...headOf('planning_content', PLANNING, step),
    ...statusOf(step),
    is_active,
  })
  return {
    type: 'planning_content',
    metadata: () => first(true),
    whole: (text) => ({
      content: text,
      metadata: { ...first(false), thoughts_content: shownOf(text), content_length: text.length },
    }),
  }
}

/** The end of a planning step: its usage and duration, and a line. */
export function planningEnd(step: Step, spent: Spent): readonly Draft[] {
  const label = step.planningType === 'update' ? 'Updated planning step' : 'Initial planning step'
  return [footerOf(step, label, spent), separatorOf(step)]
}

function statusOf({ planningType }: Step) {
  return { agent_status: planningType === 'update' ? 'update_planning' : 'initial_planning' }
}
