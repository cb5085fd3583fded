import { isPythonTool } from './python-code.ts'

export type Pane = 'chat' | 'webide' | 'terminal'

/** What there is to route. */
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

/** What a tool says or fails with goes to the terminal, the code that Python runs to the web IDE, all else to the chat. */
export function routeOf({ kind, toolName = '', content = '' }: RoutedItem): Pane {
  const isCode = kind === 'tool-invocation' || (kind === 'tool-call' && content.includes('```python'))
  return isCode && isPythonTool(toolName) ? 'webide' : defaultPanes[kind]
}
