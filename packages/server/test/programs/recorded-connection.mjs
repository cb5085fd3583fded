import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * Plays the agent's side of a recorded connection: prints its messages and waits, at each of its questions that the
 * recording answers, for an answer on stdin. What it hears goes to stderr.
 */
const messages = readFileSync(process.argv[2] ?? '', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const heard = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

/** The id of a question of the agent; of an answer of the host. */
const questionOf = (message) =>
  message.type === 'control_request' && message.request.subtype === 'can_use_tool'
    ? message.request_id
    : /^session\/request_permission$|^elicitation\//.test(message.method ?? '')
      ? message.id
      : undefined
const answerOf = (message) => (message.type === 'control_response' ? message.response.request_id : message.id)
const isOfHost = (message) =>
  message.type === 'control_response' ||
  message.request?.subtype === 'initialize' ||
  /^session\/(prompt|cancel)$/.test(message.method ?? '') ||
  (message.result !== undefined && message.result.stopReason === undefined)

for (const [index, message] of messages.entries()) {
  if (isOfHost(message)) continue
  process.stdout.write(`${JSON.stringify(message)}\n`)
  const id = questionOf(message)
  const isAnswered = messages.slice(index + 1).some((later) => isOfHost(later) && answerOf(later) === id)
  if (id !== undefined && isAnswered) process.stderr.write(`${(await heard.next()).value}\n`)
}
process.exit(0)
