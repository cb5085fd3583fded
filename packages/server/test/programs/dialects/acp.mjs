import { fail, hear, send } from '../connection.mjs'

/** A program that speaks the Agent Client Protocol, as a script that its input chooses. */
const asked = (method) => hear((message) => message.method === method)
const reply = (id, result) => send({ jsonrpc: '2.0', id, result })
const update = (value) =>
  send({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'session-1', update: value } })
const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })

reply((await asked('initialize')).id, { protocolVersion: 1, agentCapabilities: { loadSession: true } })
const opening = () => hear(({ method }) => /^session\//.test(method ?? ''))
let opened = await opening()
if (opened.params.sessionId?.startsWith('no ')) {
  send({ jsonrpc: '2.0', id: opened.id, error: { code: -32603, message: 'There is no such session.' } })
  opened = await opening()
}
const isLoaded = opened.method === 'session/load'
const modes = { currentModeId: 'auto', availableModes: [{ id: 'plan' }, { id: 'default' }, { id: 'auto' }] }
// A session that is loaded is repeated before the answer, and some agents go on behind it.
if (isLoaded) say('An old answer.')
reply(opened.id, isLoaded ? { modes } : { sessionId: 'session-1', modes })
if (isLoaded) {
  await new Promise((resolve) => setTimeout(resolve, 50))
  say('An old answer.')
}
let prompt = await opening()
if (prompt.method === 'session/set_mode') {
  modes.currentModeId = prompt.params.modeId
  reply(prompt.id, {})
  prompt = await asked('session/prompt')
}
const { id, params } = prompt
const { text } = params.prompt[0]
if (text === 'fail') await fail()
let stopReason = 'end_turn'
if (text === 'ask') {
  const toolCall = {
    toolCallId: 'call-1',
    title: 'May I dig?',
    kind: 'execute',
    status: 'pending',
    rawInput: { deep: true },
  }
  update({ sessionUpdate: 'tool_call', ...toolCall })
  const options = ['allow_always', 'allow_once', 'reject_once'].map((kind) => ({
    optionId: `option-${kind}`,
    kind,
    name: kind,
  }))
  // Some agents list what they write into the person's settings as an option like others.
  options.unshift({ optionId: 'option-project', kind: 'allow_always', name: 'Always allow in this project' })
  send({
    jsonrpc: '2.0',
    id: 0,
    method: 'session/request_permission',
    params: { sessionId: 'session-1', toolCall, options },
  })
  const { result } = await hear(({ result }) => result?.outcome !== undefined)
  const isRemembered = result.outcome.optionId === 'option-allow_always'
  const isAllowed = isRemembered || result.outcome.optionId === 'option-allow_once'
  update({ sessionUpdate: 'tool_call_update', toolCallId: 'call-1', status: isAllowed ? 'completed' : 'failed' })
  say(`It was ${isAllowed ? 'approved' : 'denied'}${isRemembered ? ' for the session' : ''}.`)
} else if (text === 'wait') {
  say('Waiting.')
  await asked('session/cancel')
  stopReason = 'cancelled'
} else if (text === 'unknown') {
  send({ jsonrpc: '2.0', id: 1, method: 'craft/drainMidTurnQueue', params: {} })
  const { error } = await hear(({ error }) => error !== undefined)
  say(`Refused with ${error.code}.`)
} else if (text === 'mode') say(`Its mode is ${modes.currentModeId}.`)
else say(`<${isLoaded ? opened.params.sessionId : 'none'}> ${text}`)
reply(id, { stopReason })
await hear(() => false)
