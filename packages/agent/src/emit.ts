import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** What a program prints as an agent: one line of JSON, `{type, data}`. Nothing else may be printed on stdout. */
export function emit(type: string, data: object = {}): void {
  try {
    // A lone surrogate is not valid in UTF-8; `JSON.stringify` escapes it.
    writeSync(1, `${JSON.stringify({ type, data })}\n`)
  } catch (error) {
    // Nobody reads any more.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

export interface AgentTask {
  readonly text: string
  readonly files: readonly { readonly path: string; readonly mediaType: string }[]
  readonly history: readonly { readonly role: string; readonly text: string }[]
  /** What `emitSession` reported in an earlier run of the thread. */
  readonly session?: string
  readonly cwd: string
}

export interface AskAnswer {
  readonly state: 'approved' | 'denied' | 'answered' | 'expired'
  readonly message?: string
  readonly answer?: unknown
}

export interface TodoEntry {
  readonly content: string
  readonly status?: 'pending' | 'in_progress' | 'completed' | 'cancelled'
}

export const emitStatus = (message: string) => emit('status', { message })
export const emitText = (content: string) => emit('text', { content })
export const emitThink = (thought: string) => emit('think', { thought })
export const emitSubagentStart = (agent: string, task: string) => emit('subagent_start', { agent, task })
export const emitSubagentComplete = (agent: string, summary: string) => emit('subagent_complete', { agent, summary })
export const emitTodoCreate = (items: readonly TodoEntry[]) => emit('todo_create', { items })
export const emitTodoUpdate = (items: readonly TodoEntry[]) => emit('todo_update', { items })
export const emitTodoDone = (item: string, index: number) => emit('todo_done', { item, index })
export const emitUsage = (counts: object) => emit('usage', counts)
export const emitError = (message: string, code?: string) =>
  emit('error', { message, ...(code !== undefined && { code }) })
export const emitSession = (id: string, at?: string) => emit('session', { id, ...(at !== undefined && { at }) })
export const emitDone = () => emit('done')

let calls = 0

/** Returns the id of the call, for its result. */
export function emitToolUse(name: string, input: object): string {
  const id = `call-${++calls}`
  emit('tool_use', { id, name, input })
  return id
}

export const emitToolResult = (callId: string, content: unknown, isError = false) =>
  emit('tool_result', { tool_use_id: callId, content, ...(isError && { is_error: true }) })

type Received = { readonly type: string; readonly data: { readonly [field: string]: unknown } }

const answers = new Map<string, (answer: AskAnswer) => void>()
const heard: string[] = []
let firstInput: PromiseWithResolvers<AgentTask> | undefined
let isStopping = false

/** What persons have said since the last call. */
export const messages = (): readonly string[] => heard.splice(0)

/** Whether the run shall stop. */
export const stopping = (): boolean => isStopping

const rows: { readonly [type: string]: ((data: Received['data']) => void) | undefined } = {
  input: (data) => firstInput?.resolve(data as unknown as AgentTask),
  answer: (data) => answers.get(String(data.id))?.(data as unknown as AskAnswer),
  message: (data) => void heard.push(String(data.text)),
  stop() {
    isStopping = true
    for (const give of answers.values()) give({ state: 'expired' })
  },
}

/** The task of this run. Reading begins with the first call. */
export function readInput(): Promise<AgentTask> {
  if (firstInput !== undefined) return firstInput.promise
  firstInput = Promise.withResolvers()
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const { type, data } = JSON.parse(line) as Received
    rows[type]?.(data)
  })
  lines.on('close', () => rows.stop?.({}))
  return firstInput.promise
}

/** Asks a person, and waits. `expired` if the run is stopped. */
export function ask(message: string, request?: unknown, callId?: string): Promise<AskAnswer> {
  const id = `question-${answers.size + 1}`
  const { promise, resolve } = Promise.withResolvers<AskAnswer>()
  answers.set(id, resolve)
  emit('ask', {
    id,
    message,
    ...(request !== undefined && { request }),
    ...(callId !== undefined && { call_id: callId }),
  })
  return promise
}
