import { fail, hear, send } from '../connection.mjs'

/** A program that speaks `lines`, as a script that its input chooses. */
const say = (type, data = {}) => send({ type, data })
const { data: input } = await hear()
say('session', { id: 'session-1' })
if (input.text === 'fail') await fail()
if (input.text === 'ask') {
  say('tool_use', { id: 'call-1', name: 'dig', input: { deep: true } })
  say('ask', { id: 'question-1', message: 'May I dig?', call_id: 'call-1' })
  const { data } = await hear(({ type }) => type === 'answer')
  say('tool_result', { tool_use_id: 'call-1', content: data.state })
  say('text', { content: `It was ${data.state}.` })
} else if (input.text === 'wait') {
  say('text', { content: 'Waiting.' })
  const { type, data } = await hear()
  say('text', { content: type === 'stop' ? 'Stopping.' : `Heard ${data.text}.` })
  if (type === 'stop') process.exit(1)
} else say('text', { content: `<${input.session ?? 'none'}> ${input.text}` })
say('done')
