import { present } from '../data/present.ts'
import type { EventOf, StreamEvent } from '../events.ts'
import { isJsonObject, isText, type Json, type JsonObject } from '../json.ts'
import { createItemReader } from './codex-app-server/item-reader.ts'
import { contentBlock, SUMMARY, THINKING } from './codex-app-server/items.ts'
import { messageOf, type Rpc, recognize } from './codex-app-server/messages.ts'
import { createQuestions } from './codex-app-server/questions.ts'
import { errorOf, type Prose } from './codex-exec/items.ts'
import { countsOf, usageEvents } from './kit/counts.ts'
import { numberIn, objectIn, objectsIn, textIn } from './kit/fields.ts'
import { metadata } from './kit/keep.ts'
import { type EventScope, type Parser, type ParserState, SILENT, understood, unmapped } from './parser.ts'

/** The JSON-RPC of `codex app-server`: threads, their turns, and the items of the turns, from one side or from both. */
export const codexAppServer: Parser = {
  version: 2,
  losses: {
    retract: 'An item cannot be taken back.',
    signature: 'Reasoning carries no signature.',
    encrypted: 'Reasoning comes as text.',
    citations: 'Text carries no citations.',
    'tool-input-stream': 'Inputs arrive whole.',
    'tool-nesting': 'No call names another.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
  },
  recognize,
  create,
}

/** What a record of a method becomes. `undefined` if it is not understood. */
type Row = (params: JsonObject, scope: EventScope) => readonly StreamEvent[] | undefined

const COUNTS = {
  inputTokens: ['inputTokens'],
  outputTokens: ['outputTokens'],
  reasoningTokens: ['reasoningOutputTokens'],
  cacheReadTokens: ['cachedInputTokens'],
}

const todoStatuses = { pending: 'pending', inProgress: 'in_progress', completed: 'completed' } as const

/** News that concern no run. */
const ASIDE =
  /^(?:account|skills|app|fs|mcpServer|remoteControl|fuzzyFileSearch|windows|hook|thread\/(?:status|name|realtime|goal))/

function create(): ParserState {
  const { readItem, startBlock, startAgents } = createItemReader()
  const questions = createQuestions()
  let mainThread: string | undefined
  let turnCount = 0
  let lastUsage = ''
  let runEnd: EventOf<'run-end'> | undefined

  const scopeOf = (threadId: Json | undefined): EventScope =>
    isText(threadId) && threadId !== (mainThread ?? threadId) ? { agentId: threadId } : {}

  function startThread(thread: JsonObject): readonly StreamEvent[] | undefined {
    const { id, parentThreadId, model, cwd, modelProvider, cliVersion, preview } = thread
    if (!isText(id)) return undefined
    if (isText(parentThreadId)) return startAgents([id], present({ task: textIn(preview) }), scopeOf(parentThreadId))
    if (mainThread !== undefined && mainThread !== id) return startAgents([id], {}, {})
    const isRepeated = mainThread === id
    mainThread = id
    if (isRepeated) return []
    return [
      { type: 'run-start', agent: 'codex', ...present({ model: textIn(model) }) },
      ...metadata({ threadId: id, cwd, modelProvider, cliVersion }),
    ]
  }

  const delta =
    (prose: Prose, blockOf = (itemId: string) => itemId): Row =>
    ({ itemId, delta: text }, scope) => {
      if (!isText(itemId) || !isText(text)) return undefined
      const blockId = blockOf(itemId)
      return [...startBlock(blockId, prose, scope), { ...scope, type: 'block-delta', blockId, text }]
    }

  const output: Row = ({ itemId: callId, delta: text, message }, scope) => {
    const printed = textIn(text) ?? textIn(message)
    if (!isText(callId)) return undefined
    if (printed !== undefined) return [{ ...scope, type: 'tool-progress', callId, channel: 'stdout', text: printed }]
    return text === undefined && message === undefined ? SILENT : undefined
  }

  const status =
    (level: 'info' | 'warn', otherwise: string): Row =>
    ({ message, summary }, scope) => [
      { ...scope, type: 'status', message: textIn(message) ?? textIn(summary) ?? otherwise, level },
    ]

  function endTurn(turn: JsonObject, scope: EventScope): readonly StreamEvent[] | undefined {
    const { id, status: ending, error } = turn
    if (!isText(id)) return undefined
    const failure = ending === 'failed' ? errorOf(textIn(objectIn(error).message)) : undefined
    const out: StreamEvent[] = [
      { ...scope, type: 'step-end', reason: isText(ending) ? ending : 'completed' },
      { ...scope, type: 'message-end', messageId: id },
    ]
    // The turn of a subagent ends no run.
    if (scope.agentId !== undefined)
      return failure === undefined ? out : [{ ...scope, type: 'error', ...failure }, ...out]
    runEnd = { type: 'run-end', outcome: ending === 'interrupted' ? 'cancelled' : 'success' }
    if (failure === undefined) return out
    runEnd = { type: 'run-end', outcome: 'error', error: failure }
    return [...out, runEnd]
  }

  const rows: { readonly [method: string]: Row | undefined } = {
    'thread/started': ({ thread }) => startThread(objectIn(thread)),
    'turn/started'({ turn }, scope) {
      const { id: messageId } = objectIn(turn)
      if (!isText(messageId)) return undefined
      if (scope.agentId === undefined) turnCount++
      const step = { ...scope, type: 'step-start', kind: 'model', number: turnCount } as const
      return [{ ...scope, type: 'message-start', messageId, role: 'assistant' }, step]
    },
    'turn/completed': ({ turn }, scope) => endTurn(objectIn(turn), scope),
    'item/started': (params, scope) => readItem(params.item, scope, false),
    'item/completed': (params, scope) => readItem(params.item, scope, true),
    'item/agentMessage/delta': delta({ kind: 'text' }),
    'item/plan/delta': delta({ kind: 'text', variant: 'plan' }),
    'item/reasoning/summaryTextDelta': delta(SUMMARY),
    'item/reasoning/textDelta': delta(THINKING, contentBlock),
    'item/reasoning/summaryPartAdded': ({ itemId, summaryIndex }, scope) =>
      isText(itemId) && numberIn(summaryIndex) !== 0 ? delta(SUMMARY)({ itemId, delta: '\n\n' }, scope) : SILENT,
    'item/commandExecution/outputDelta': output,
    'item/fileChange/outputDelta': output,
    'item/mcpToolCall/progress': output,
    'turn/plan/updated'({ plan }, scope) {
      const todos = objectsIn(plan).map(({ step, status: state }, index) => ({
        id: String(index + 1),
        content: step as string,
        status: todoStatuses[state as keyof typeof todoStatuses] ?? 'pending',
      }))
      return [{ ...scope, type: 'todos', listId: 'todos', op: 'set', items: todos }]
    },
    'turn/diff/updated': ({ turnId, diff }, scope) => [
      { ...scope, type: 'data', name: 'diff', id: `diff-${turnId}`, data: diff ?? '' },
    ],
    'thread/tokenUsage/updated'({ tokenUsage }, scope) {
      const { last, total } = objectIn(tokenUsage)
      const text = JSON.stringify(total)
      // The counts of a subagent are not those of the main agent, and a repetition adds nothing.
      if (scope.agentId !== undefined || text === lastUsage) return SILENT
      lastUsage = text
      return understood(usageEvents(countsOf(objectIn(last), COUNTS), { scope: 'step', mode: 'add' }))
    },
    error({ error, willRetry }, scope) {
      const failure = errorOf(textIn(objectIn(error).message))
      return willRetry === true
        ? [{ ...scope, type: 'status', message: failure.message, level: 'warn' }]
        : [{ ...scope, type: 'error', ...failure }]
    },
    warning: status('warn', 'A warning'),
    configWarning: status('warn', 'A warning about the settings'),
    deprecationNotice: status('info', 'Something is deprecated'),
    'model/rerouted': status('info', 'Another model answers'),
    'thread/compacted': status('info', 'The conversation was compacted'),
    'serverRequest/resolved'({ requestId }) {
      questions.resolve(String(requestId))
      return SILENT
    },
    'turn/interrupt': () => [{ type: 'control', action: 'stop' }],
    // What a client asks stands in the items that follow.
    'turn/start': () => SILENT,
    'thread/start': (params) => understood(metadata(present({ cwd: params.cwd, model: params.model }))),
    initialize: (params) => understood(metadata({ clientInfo: params.clientInfo })),
    initialized: () => SILENT,
  }

  function readAnswer({ id, result = {}, error }: Rpc): readonly StreamEvent[] | undefined {
    if (error !== undefined)
      return [{ type: 'status', message: textIn(error.message) ?? 'The request failed', level: 'error' }]
    const answered = questions.answer(String(id), result)
    if (answered !== undefined) return answered
    const { thread, turn, ...others } = result
    if (isJsonObject(thread)) return understood(startThread({ ...others, ...thread }) ?? [])
    return isJsonObject(turn) ? SILENT : understood(metadata(others))
  }

  function read(message: Rpc): readonly StreamEvent[] | undefined {
    const { method, params, id } = message
    if (method === undefined) return readAnswer(message)
    const scope = scopeOf(params.threadId)
    const asked = id === undefined || id === null ? undefined : questions.ask(method, String(id), params, scope)
    if (asked !== undefined) return asked
    const row = Object.hasOwn(rows, method) ? rows[method] : undefined
    if (row !== undefined) return row(params, scope)
    return ASIDE.test(method) ? understood(metadata({ [method]: message.params })) : undefined
  }

  return {
    push(value) {
      const message = messageOf(value)
      const events = message === undefined ? undefined : read(message)
      if (events === undefined || message === undefined) return unmapped(value)
      if (events.length === 0) return SILENT
      const sentAt =
        numberIn(message.emittedAtMs) ?? numberIn(message.params.completedAtMs) ?? numberIn(message.params.startedAtMs)
      return sentAt === undefined ? events : events.map((event) => ({ sentAt, ...event }))
    },
    end: () => (runEnd === undefined ? [] : [runEnd]),
  }
}
