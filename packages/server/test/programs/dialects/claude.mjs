import { fail, hear, send } from '../connection.mjs'

/** A program that speaks as `claude -p` does, as a script that its input chooses. */
const resumed = process.argv.find((argument) => argument.startsWith('--resume='))?.slice('--resume='.length)
const session_id = resumed ?? 'session-1'
const uuid = () => crypto.randomUUID()
const assistant = (content) =>
  send({
    type: 'assistant',
    message: { id: uuid(), role: 'assistant', content },
    session_id,
    uuid: uuid(),
    parent_tool_use_id: null,
  })
const say = (text) => assistant([{ type: 'text', text }])
const result = (subtype, is_error) =>
  send({
    type: 'result',
    subtype,
    is_error,
    result: '',
    session_id,
    uuid: uuid(),
    num_turns: 1,
    duration_ms: 1,
    usage: {},
  })

const { request_id } = await hear(({ request }) => request?.subtype === 'initialize')
send({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } })
const { message } = await hear(({ type }) => type === 'user')
const text = message.content[0].text
if (text === 'fail') await fail()
send({ type: 'system', subtype: 'init', session_id, uuid: uuid(), cwd: process.cwd(), model: 'mill-1', tools: [] })
if (text === 'ask') {
  assistant([{ type: 'tool_use', id: 'call-1', name: 'dig', input: { deep: true } }])
  const request = {
    subtype: 'can_use_tool',
    tool_name: 'dig',
    input: { deep: true },
    tool_use_id: 'call-1',
    title: 'May I dig?',
  }
  send({ type: 'control_request', request_id: 'question-1', request })
  const { response } = await hear(({ type }) => type === 'control_response')
  const { behavior } = response.response
  const output = { type: 'tool_result', tool_use_id: 'call-1', content: behavior, is_error: behavior !== 'allow' }
  send({
    type: 'user',
    message: { role: 'user', content: [output] },
    session_id,
    uuid: uuid(),
    parent_tool_use_id: null,
  })
  say(`It was ${behavior === 'allow' ? 'approved' : 'denied'}.`)
} else if (text === 'wait') {
  say('Waiting.')
  const heard = await hear()
  if (heard.type !== 'user') {
    result('error_during_execution', true)
    process.exit(1)
  }
  say(`Heard ${heard.message.content[0].text}.`)
} else say(`<${resumed ?? 'none'}> ${text}`)
result('success', false)
await hear(() => false)
