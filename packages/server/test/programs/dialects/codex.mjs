import { fail, hear, send } from '../connection.mjs'

/** A program that speaks as `codex app-server` does, as a script that its input chooses. */
const asked = (method) => hear((message) => message.method === method)
const note = (method, params) => send({ method, params: { threadId: 'session-1', turnId: 'turn-1', ...params } })
const item = (value) => ['item/started', 'item/completed'].map((method) => note(method, { item: value }))
const say = (text) => item({ type: 'agentMessage', id: `message-${text}`, text, phase: 'final_answer' })

const { id } = await asked('initialize')
send({ id, result: { userAgent: 'scripted' } })
const opened = await hear(({ method }) => /^thread\//.test(method ?? ''))
const thread = { id: 'session-1', parentThreadId: null, cwd: opened.params.cwd }
send({ id: opened.id, result: { thread } })
if (opened.method === 'thread/resume' && opened.params.excludeTurns !== true) {
  send({ method: 'deprecationNotice', params: { summary: 'Full-history hydration is deprecated.' } })
}
note('thread/started', { thread })
const start = await asked('turn/start')
const turn = { id: 'turn-1', items: [], status: 'inProgress', error: null }
send({ id: start.id, result: { turn } })
note('turn/started', { turn })
const { text } = start.params.input[0]
item({ type: 'userMessage', id: 'user-1', content: [{ type: 'text', text }] })
if (text === 'fail') await fail()
let status = 'completed'
if (text === 'ask') {
  const command = { type: 'commandExecution', id: 'call-1', command: 'dig', status: 'inProgress' }
  note('item/started', { item: command })
  const params = { threadId: 'session-1', turnId: 'turn-1', itemId: 'call-1', reason: 'May I dig?', command: 'dig' }
  // Its ids begin at 0, as those of the client do.
  send({ id: 0, method: 'item/commandExecution/requestApproval', params })
  const { result } = await hear(({ result }) => result?.decision !== undefined)
  const isAccepted = result.decision === 'accept'
  note('item/completed', {
    item: { ...command, status: isAccepted ? 'completed' : 'declined', exitCode: isAccepted ? 0 : null },
  })
  say(`It was ${isAccepted ? 'approved' : 'denied'}.`)
} else if (text === 'wait') {
  say('Waiting.')
  const heard = await hear(({ method }) => method === 'turn/steer' || method === 'turn/interrupt')
  send({ id: heard.id, result: {} })
  if (heard.method === 'turn/interrupt') status = 'interrupted'
  else say(`Heard ${heard.params.input[0].text}.`)
} else say(`<${opened.method === 'thread/resume' ? opened.params.threadId : 'none'}> ${text}`)
note('turn/completed', { turn: { ...turn, status } })
await hear(() => false)
