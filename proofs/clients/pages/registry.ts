import type { Piece } from '../../../clients/contract.ts'
import type { PageClientEntry } from './try-page.ts'

/** The clients that need a page. */
export const pageClients: readonly PageClientEntry[] = [
  { page: 'ai-sdk-react', title: '`@ai-sdk/react`', packages: ['@ai-sdk/react', 'ai'], piece: withoutDenial },
  { page: 'ai-sdk-vue', title: '`@ai-sdk/vue`', packages: ['@ai-sdk/vue', 'vue'], piece: withoutDenial },
  { page: 'ai-sdk-svelte', title: '`@ai-sdk/svelte`', packages: ['@ai-sdk/svelte', 'svelte'], piece: withoutDenial },
  {
    page: 'assistant-ui-ai-sdk',
    title: 'assistant-ui over `/api/chat`',
    packages: ['@assistant-ui/react', '@assistant-ui/react-ai-sdk'],
    piece: withoutDenial,
  },
  {
    page: 'assistant-ui-ag-ui',
    title: 'assistant-ui over `/api/ag-ui`',
    packages: ['@assistant-ui/react', '@assistant-ui/react-ag-ui', 'ag-ui-0.0.58'],
    piece: (piece) => withTextResult(deniedAsFailed(piece)),
    ownErrors: ['signal is aborted without reason'],
    notes: [
      'sometimes shows its own stop as an error',
      'asks for `?profile=0`: behind an outcome of 1.0 it does not send what its own tools have found',
      'answers by its hooks (`useAgUiSubmitInterruptResponses`): its buttons answer only interrupts whose reason is `tool_call`, which CopilotKit takes for the result of the call',
      'shows a denied call as failed, with the denial as its result',
      'has the result of a failed call as an MCP result while it streams; a loaded one is text, with the `error` that the page gives it, and then looks failed, too',
    ],
  },
  {
    page: 'copilotkit',
    title: 'CopilotKit with its runtime',
    packages: ['@copilotkit/react-core', '@copilotkit/runtime'],
    piece: (piece) => withTextResult(withoutFailure(piece)),
    unlikeReloaded: {
      regenerate: 'its runtime, which keeps the history for its pages, has no branches: both answers are shown',
    },
    notes: ['shows a failed call as done, with the failure as its result', 'has its history from its own runtime'],
  },
  {
    page: 'tanstack',
    title: 'TanStack `ai-client`',
    packages: ['@tanstack/ai-client', '@tanstack/ai'],
    piece: (piece) => withTextResult(deniedAsFailed(piece)),
    notes: [
      'shows a denied call as failed, with the denial as its result',
      'answers with `resumeInterruptsUnsafe`: it binds only interrupts of its own server',
      'gives the result of its own tool with `addToolResult`, for the same reason',
      'joins the live run behind a snapshot of the messages, because at the first text it removes the thoughts before it',
    ],
  },
]

/** On the wire of the AI SDK a denied call has no result. */
function withoutDenial(piece: Piece): Piece {
  if (piece.type !== 'tool' || piece.state !== 'denied') return piece
  const { output: _output, ...others } = piece
  return others
}

/** A client that tells only success and failure apart. */
const deniedAsFailed = (piece: Piece): Piece =>
  piece.type === 'tool' && piece.state === 'denied' ? { ...piece, state: 'failed' } : piece

/** A client that has no field for the failure or the denial of a call. */
const withoutFailure = (piece: Piece): Piece =>
  piece.type === 'tool' && (piece.state === 'failed' || piece.state === 'denied') ? { ...piece, state: 'done' } : piece

/** What a tool of the client has found is text on AG-UI, and the client reads JSON in it. */
function withTextResult(piece: Piece): Piece {
  return piece.type === 'tool' && typeof piece.output === 'string' ? { ...piece, output: jsonIn(piece.output) } : piece
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
