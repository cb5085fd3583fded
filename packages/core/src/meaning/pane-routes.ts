import type { Json } from '../json.ts'
import { isPythonTool } from './code-input.ts'

export type Pane = 'chat' | 'webide' | 'terminal'

/** The kinds of items that are routed to a pane. */
export type PaneKind =
  | 'message'
  | 'planning'
  | 'thought'
  | 'tool-call'
  | 'tool-invocation'
  | 'observation'
  | 'log'
  | 'tool-error'
  | 'run-error'
  | 'final-answer'

export interface RoutedItem {
  readonly kind: PaneKind
  readonly toolName?: string
  readonly content?: string
}

const defaultPanes: { readonly [Kind in PaneKind]: Pane } = {
  message: 'chat',
  planning: 'chat',
  thought: 'chat',
  'tool-call': 'chat',
  'tool-invocation': 'chat',
  observation: 'terminal',
  log: 'terminal',
  'tool-error': 'terminal',
  'run-error': 'chat',
  'final-answer': 'chat',
}

/** Output and errors of tools go to the terminal, Python code to the web IDE, everything else to the chat. */
export function routeOf({ kind, toolName = '', content = '' }: RoutedItem): Pane {
  const isCode = kind === 'tool-invocation' || (kind === 'tool-call' && content.includes('```python'))
  return isCode && isPythonTool(toolName) ? 'webide' : defaultPanes[kind]
}

/** The output of a tool as a terminal shows it: a list of text parts as its text, a value that is not text as JSON. */
export function observationText(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.length > 0) {
    const texts = value.map(partText)
    if (texts.every((text) => text !== undefined)) return texts.join('\n')
  }
  return JSON.stringify(value, null, 2)
}

function partText(part: Json): string | undefined {
  const isPart = typeof part === 'object' && part !== null && 'type' in part && part.type === 'text' && 'text' in part
  return isPart && typeof part.text === 'string' ? part.text : undefined
}
