import {
  type AssistantRuntime,
  AssistantRuntimeProvider,
  type DataMessagePartProps,
  type FileMessagePartProps,
  MessagePrimitive,
  makeAssistantTool,
  type ReasoningMessagePartProps,
  type ThreadAssistantMessagePart,
  type ThreadMessage,
  ThreadPrimitive,
  type ToolCallMessagePartProps,
} from '@assistant-ui/react'
import { z } from 'zod'
import { CLIENT_TOOL, type Held, type Piece, type PieceState, SEEN } from '../contract.ts'
import { offer } from './address.ts'

let outputs = 0

/** The page's own tool, as assistant-ui runs it. */
const Look = makeAssistantTool({
  toolName: CLIENT_TOOL,
  description: 'Looks at something.',
  parameters: z.object({ at: z.string() }),
  async execute() {
    outputs++
    return SEEN
  },
})

/** What assistant-ui draws of a thread, with its own primitives. */
export function Thread({ runtime, questions }: { readonly runtime: AssistantRuntime; readonly questions?: Questions }) {
  offerThread(runtime, questions ?? ofParts(runtime))
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <Look />
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Viewport>
          <ThreadPrimitive.Messages components={{ UserMessage: Message, AssistantMessage: Message }} />
        </ThreadPrimitive.Viewport>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  )
}

function Message() {
  return (
    <MessagePrimitive.Root className="message">
      <MessagePrimitive.Parts components={{ Reasoning, File, tools: { Fallback: Tool }, data: { Fallback: Data } }} />
      <MessagePrimitive.Error />
    </MessagePrimitive.Root>
  )
}

function Reasoning({ text }: ReasoningMessagePartProps) {
  return <p className="reasoning">{text}</p>
}

function File({ filename, data, mimeType }: FileMessagePartProps) {
  return mimeType.startsWith('image/') ? <img src={data} alt={filename ?? ''} /> : <a href={data}>{filename}</a>
}

/** Of the data of the stream, what an application would draw: the helpers, and what they say. */
function Data({ name, data }: DataMessagePartProps) {
  if (name !== 'subagent') return null
  const { name: title, task, state, summary } = data as { readonly [field: string]: string }
  return (
    <section className="tool">
      {title}, {state}: {task}
      <p>{summary}</p>
    </section>
  )
}

function Tool({ toolName, argsText, result, isError, approval, respondToApproval }: ToolCallMessagePartProps) {
  const isOpen = approval !== undefined && approval.approved === undefined && approval.resolution === undefined
  return (
    <section className={isError === true ? 'tool failed' : 'tool'}>
      <code>
        {toolName} {argsText} {result === undefined ? '' : `→ ${JSON.stringify(result)}`}
      </code>
      {isOpen && (
        <button type="button" onClick={() => respondToApproval({ approved: true })}>
          Allow
        </button>
      )}
      {isOpen && (
        <button type="button" onClick={() => respondToApproval({ approved: false })}>
          Deny
        </button>
      )}
    </section>
  )
}

/** The open questions of a thread, and how they are answered. */
export interface Questions {
  open(): readonly string[]
  answer(answers: { readonly [question: string]: boolean }): void
}

/** The questions that assistant-ui shows at their calls. */
function ofParts({ thread }: AssistantRuntime): Questions {
  const open = () =>
    thread
      .getState()
      .messages.flatMap(({ id, content }) => (content as readonly Part[]).map((part) => ({ id, part })))
      .flatMap(({ id, part }) => (part.type === 'tool-call' && isAsked(part) ? [{ id, part }] : []))
  return {
    open: () => open().map(({ part }) => part.approval?.id ?? ''),
    answer(answers) {
      for (const { id, part } of open()) {
        const message = thread.getMessageById(id).getMessagePartByToolCallId(part.toolCallId)
        void message.respondToToolApproval({ approved: answers[part.approval?.id ?? ''] === true })
      }
    },
  }
}

function offerThread({ thread }: AssistantRuntime, questions: Questions): void {
  offer({
    send: (text) => thread.append(text),
    stop: () => thread.cancelRun(),
    regenerate: () => thread.getMessageById(thread.getState().messages.at(-1)?.id ?? '').reload(),
    answer: questions.answer,
    held: () => heldBy(thread.getState(), questions.open()),
  })
}

function heldBy({ messages, isRunning, isLoading }: ThreadState, questions: readonly string[]): Held {
  const last = messages.at(-1)
  const error = last?.status?.type === 'incomplete' && last.status.reason === 'error' ? last.status.error : undefined
  return {
    isBusy: isRunning || isLoading,
    ...(error !== undefined && { error: sentenceOf(error) }),
    pieces: messages.flatMap(({ role, content }) => content.flatMap((part) => pieceOf(role, part))),
    questions,
    outputs,
  }
}

function sentenceOf(error: unknown): string {
  const { message } = (typeof error === 'object' ? error : { message: error }) as { readonly message?: unknown }
  return String(message ?? JSON.stringify(error))
}

type Part = ThreadMessage['content'][number]
type ToolPart = Extract<ThreadAssistantMessagePart, { type: 'tool-call' }>
type ThreadState = ReturnType<AssistantRuntime['thread']['getState']>

/** A failure over /api/chat is an object with nothing but its sentence, one over /api/ag-ui a result of MCP. */
function sentenceIn(result: unknown): unknown {
  const { error, ...others } = typeof result === 'object' && result !== null ? (result as Record<string, unknown>) : {}
  if (typeof error === 'string' && Object.keys(others).length === 0) return error
  const [content] = others.isError === true && Array.isArray(others.content) ? others.content : []
  return content?.text ?? result
}

const isAsked = ({ approval }: ToolPart) =>
  approval !== undefined && approval.approved === undefined && approval.resolution === undefined

function pieceOf(role: ThreadMessage['role'], part: Part): readonly Piece[] {
  if (part.type === 'text') return [{ type: role === 'user' ? 'user' : 'text', text: part.text }]
  if (part.type === 'reasoning') return [{ type: 'reasoning', text: part.text }]
  if (part.type !== 'tool-call') return []
  const state = stateOf(part)
  const output = state === 'done' || state === 'failed' ? { output: sentenceIn(part.result) } : {}
  return [{ type: 'tool', name: part.toolName, state, input: part.args, ...output }]
}

function stateOf(part: ToolPart): PieceState {
  const { approval, result, isError } = part
  if (approval?.approved === false && isError === true) return 'denied'
  if (result !== undefined) return isError === true ? 'failed' : 'done'
  return isAsked(part) ? 'asked' : 'open'
}
