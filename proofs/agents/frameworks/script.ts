import type { Conversation, Step } from '../../../recorders/provider/script.ts'

/** What a person says in each scene. */
export const says = {
  calls: 'When may we leave?',
  again: 'And tomorrow?',
  waits: 'Tell me everything.',
  fails: 'What does the gauge say?',
} as const

const usage = { input: 100, output: 20 }

/** What the model has said behind the first turn, and looks for in the second. */
const ANSWER = 'Leave at 06:40.'

/** A model that answers by what was said last, and in the second turn says what it knows of the first. */
export function answerOf({ userTexts, toolResults, toolNames }: Conversation, body: unknown): Step {
  const isSaid = (text: string) => userTexts.some((each) => each.includes(text))
  const call = (name: string) => ({
    // A server of tools adds its name in front.
    name: toolNames.find((each) => each === name || each.endsWith(`__${name}`)) ?? name,
    input: { harbour: 'Millport' },
  })
  if (isSaid(says.again)) {
    const sent = JSON.stringify(body)
    const seen = [says.calls, ANSWER, '06:12'].map((text) => (sent.includes(text) ? 'yes' : 'no'))
    return { text: `Question ${seen[0]}, answer ${seen[1]}, tide ${seen[2]}.`, usage }
  }
  if (isSaid(says.fails))
    return { reasoning: 'It is dark.', text: 'I look at the', error: 'Overloaded', usage, pause: 5 }
  if (isSaid(says.waits)) return { text: 'On and on. '.repeat(200), usage, pause: 100 }
  if (!isSaid(says.calls)) return { text: 'Leaving harbour', usage }
  if (toolResults.length === 0)
    return {
      reasoning: 'Tide and wind decide.',
      text: 'I look at the tide and the wind.',
      calls: [call('get_tide'), call('get_wind')],
      usage,
    }
  return { text: ANSWER, usage }
}
