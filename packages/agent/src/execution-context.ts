import type { AgentHost, AgentInput, AgentRequest, ApprovalAnswer } from '@millrace/core/agent'
import type { StreamEvent, TodoItem } from '@millrace/core/events'
import type { Json } from '@millrace/core/json'
import { runChild } from './call-agent.ts'
import type { AgentEvent, ToolEvent } from './events.ts'
import { createShare, share, shareOf } from './run-share.ts'
import { runTool } from './run-tool.ts'
import type { Tool, ToolResult } from './tool.ts'

export interface NewFile {
  readonly mediaType: string
  readonly filename?: string
  readonly bytes: Uint8Array
}

interface ContextFields {
  readonly traceId: string
  readonly signal: AbortSignal
  readonly cwd: string
  readonly callId?: string
}

/** What the code of an agent or of a tool gets beside its input. Frozen. */
export class ExecutionContext {
  /** The run's id. */
  readonly traceId: string
  /** Fires when the run shall stop. */
  readonly signal: AbortSignal
  /** The folder to work in: absolute. */
  readonly cwd: string
  /** In a tool, the call that it answers. */
  readonly callId: string | undefined

  private constructor({ traceId, signal, cwd, callId }: ContextFields) {
    this.traceId = traceId
    this.signal = signal
    this.cwd = cwd
    this.callId = callId
    Object.freeze(this)
  }

  /** Without a host nobody can be asked, no other agent can be called, and what is reported is dropped. */
  static create(traceId: string, signal: AbortSignal, host?: AgentHost): ExecutionContext {
    return ExecutionContext.#first({ traceId, signal, cwd: process.cwd() }, host)
  }

  /** The context of a run that a server has begun. */
  static of({ runId, signal, cwd }: AgentRequest, host: AgentHost): ExecutionContext {
    return ExecutionContext.#first({ traceId: runId, signal, cwd }, host)
  }

  static #first(fields: ContextFields, host: AgentHost | undefined): ExecutionContext {
    const context = new ExecutionContext(fields)
    share(context, createShare(fields.traceId, host))
    return context
  }

  /** This context for the tool that answers a call: what the tool asks and reports belongs to the call. */
  forCall(callId: string, signal: AbortSignal = this.signal): ExecutionContext {
    const context = new ExecutionContext({ traceId: this.traceId, signal, cwd: this.cwd, callId })
    share(context, shareOf(this))
    return context
  }

  agentEvent<E extends AgentEvent>(event: E): E {
    return event
  }

  toolEvent<E extends ToolEvent>(event: E): E {
    return event
  }

  /** The event of a tool as an agent yields it. */
  adaptToolEvent(event: ToolEvent, callId?: string): AgentEvent {
    const { toolName } = event
    const call = callId === undefined ? {} : { callId }
    if (event.type === 'progress') return { type: 'tool_progress', ...call, toolName, data: event.data }
    const { output, isError } = event
    return { type: 'tool_result', ...call, toolName, output, ...(isError !== undefined && { isError }) }
  }

  /**
   * Calls a tool: checks the input, asks a person if the tool wants it, and yields the call, its progress and exactly one
   * result. A throw of the tool is a failed result.
   */
  async *callTool(tool: Tool, input: unknown): AsyncGenerator<AgentEvent, ToolResult> {
    const callId = shareOf(this).nextId('call')
    yield { type: 'tool_call', callId, toolName: tool.id, toolArgs: JSON.stringify(input ?? {}) }
    const events = runTool(tool, input, this.forCall(callId))
    try {
      for (;;) {
        const next = await events.next()
        if (next.done) return next.value
        yield this.adaptToolEvent(next.value, callId)
      }
    } finally {
      // The caller may leave before the end.
      await events.return(undefined as never)
    }
  }

  /**
   * Another agent of the server, in a run of its own whose parent is this one; here it is a subagent. Its text is the
   * progress, and together the output. With `forward` all its events are here as well, nested. It stops with this run,
   * and its questions are asked here.
   */
  callAgent(
    name: string,
    task: string,
    options: { readonly forward?: boolean } = {},
  ): AsyncGenerator<ToolEvent, ToolResult> {
    return runChild(this, { name, task, forward: options.forward === true })
  }

  /** Asks a person, and waits. `expired` if the run is stopped. Throws if what is asked about is not JSON. */
  async ask(message: string, request?: unknown): Promise<ApprovalAnswer> {
    const { host } = shareOf(this)
    if (host === undefined || this.signal.aborted) return { state: 'expired' }
    const call = this.callId === undefined ? {} : { callId: this.callId }
    return host.ask({ message, ...call, ...(request !== undefined && { request: jsonOf(request) }) })
  }

  status(message: string, level: 'info' | 'warn' = 'info'): void {
    this.#report({ type: 'status', message, level })
  }

  /** Replaces the agent's list of todos. */
  todos(items: readonly TodoItem[]): void {
    this.#report({ type: 'todos', listId: 'todos', op: 'set', items: jsonOf(items) as unknown as TodoItem[] })
  }

  /** Hands a file of any size to the viewers. Resolves when it is durable. */
  async file({ mediaType, filename, bytes }: NewFile): Promise<void> {
    const { nextId, add } = shareOf(this)
    const call = this.callId === undefined ? {} : { callId: this.callId }
    const name = filename === undefined ? {} : { filename }
    await add([
      {
        type: 'file',
        fileId: nextId('file'),
        mediaType,
        ...name,
        bytes: Buffer.from(bytes).toString('base64'),
        ...call,
      },
    ])
  }

  /** Data of the agent's own; data with the same id replace each other. */
  data(name: string, data: Json, id?: string): void {
    this.#report({ type: 'data', name, data: jsonOf(data), ...(id !== undefined && { id }) })
  }

  /** Reports what the agent itself calls the conversation: the next run of the thread gets it as `memory.session`. */
  session(id: string, at?: string): void {
    shareOf(this).host?.session(id, at)
  }

  /** What persons have said to the agent since it was last called. Taking a message is its delivery. */
  takeMessages(): readonly AgentInput[] {
    return shareOf(this).host?.takeMessages() ?? []
  }

  #report(event: StreamEvent): void {
    // A log that refuses it has ended the run already.
    shareOf(this)
      .add([event])
      .catch(() => undefined)
  }
}

/** Throws if the value is not JSON, because the log could not store it. */
function jsonOf(value: unknown): Json {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError('The value is not JSON.')
  return JSON.parse(text) as Json
}
