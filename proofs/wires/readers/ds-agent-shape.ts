/** A message of the protocol, as its document describes it. */
export interface DsAgentMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly metadata: { readonly [field: string]: unknown }
  readonly message_id: string
  readonly timestamp: string
  readonly session_id: string | null
  readonly step_number: number | null
}

const FIELDS = ['role', 'content', 'metadata', 'message_id', 'timestamp', 'session_id', 'step_number']

/** The types of the document, and the one that general messages have. */
const TYPES = [
  'planning_header',
  'planning_content',
  'planning_footer',
  'action_header',
  'action_thought',
  'tool_call',
  'tool_invocation',
  'observation',
  'action_footer',
  'separator',
  'final_answer',
  'error',
  'message',
]

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isFlag: Check = (value) => typeof value === 'boolean'
const isNumber: Check = (value) => typeof value === 'number'
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const isOneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string)
const isListOfTexts: Check = (value) => Array.isArray(value) && value.every(isText)
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What each field of the metadata may be, if it is present. */
const METADATA: { readonly [field: string]: Check } = {
  component: isOneOf('chat', 'webide', 'terminal'),
  message_type: isOneOf(...TYPES),
  step_type: isOneOf('planning', 'action', 'final_answer'),
  step_number: isCount,
  planning_type: isOneOf('initial', 'update'),
  tool_name: isText,
  tool_id: isText,
  tool_args_summary: isText,
  is_python_interpreter: isFlag,
  thoughts_content: (value) => isText(value) && [...(value as string)].length <= 60,
  content_length: isCount,
  full_thought_length: isCount,
  has_structured_data: isFlag,
  answer_title: isText,
  answer_content: isText,
  answer_sources: isListOfTexts,
  answer_format: isOneOf('json', 'markdown'),
  is_final_answer: isFlag,
  streaming: isFlag,
  is_delta: isFlag,
  is_initial_stream: isFlag,
  stream_id: (value) => /^msg-\d+-[a-z_]+-stream(?:-\d+)?$/.test(String(value)),
  status: isOneOf('streaming', 'done'),
  error: isFlag,
  error_type: isText,
  error_message: isText,
  has_error: isFlag,
  agent_status: isOneOf(
    'initial_planning',
    'update_planning',
    'thinking',
    'coding',
    'actions_running',
    'writing',
    'standby',
    'error',
  ),
  is_active: isFlag,
  code: isText,
  language: isText,
  code_lines: isCount,
  has_imports: isFlag,
  output_lines: isCount,
  execution_duration: isNumber,
  footer_label: isText,
  token_usage: isObject,
  timing: isObject,
  cursor: isText,
  millrace: isObject,
}

const MUST = ['component', 'message_type', 'streaming', 'status']

/** The further fields that a message of a type must have. */
const MUST_OF: { readonly [type: string]: readonly string[] } = {
  planning_header: ['step_type', 'planning_type'],
  planning_content: ['step_type'],
  planning_footer: ['step_type', 'footer_label'],
  action_header: ['step_type', 'step_number'],
  tool_call: ['tool_name', 'tool_id'],
  tool_invocation: ['tool_name', 'tool_id'],
  observation: ['tool_name', 'tool_id'],
  action_footer: ['step_type', 'footer_label'],
  separator: ['step_type'],
  final_answer: ['step_type', 'is_final_answer'],
  error: ['error', 'error_type', 'error_message'],
}

/** The chunk as a message. Throws if it is not one, or contradicts itself. */
export function messageOf(chunk: object): DsAgentMessage {
  const message = chunk as DsAgentMessage
  const refuse = (what: string): never => {
    throw new Error(`${what}: ${JSON.stringify(chunk)}`)
  }
  if (Object.keys(chunk).join() !== FIELDS.join()) refuse('Other fields')
  const { role, content, metadata, message_id: id, timestamp, session_id: session, step_number: number } = message
  if (role !== 'user' && role !== 'assistant') refuse('Nobody says it')
  if (!isText(content) || !isText(id) || id === '') refuse('No words or no id')
  if (new Date(timestamp).toISOString() !== timestamp) refuse('No time')
  if (session !== null && !isText(session)) refuse('No session')
  if (number !== null && !isCount(number)) refuse('No number')
  if (!isObject(metadata)) refuse('No metadata')
  for (const [field, value] of Object.entries(metadata)) {
    if (METADATA[field]?.(value) !== true) refuse(`The metadata ${field}`)
  }
  const { message_type: type, streaming, status, component, step_type: stepType } = metadata
  for (const field of [...MUST, ...(MUST_OF[String(type)] ?? [])]) {
    if (!(field in metadata)) refuse(`No ${field}`)
  }
  if ((stepType === undefined) !== (metadata.step_number === undefined)) refuse('Half a step')
  if (metadata.step_number !== (number ?? undefined)) refuse('Two steps')
  if ((status === 'streaming') !== streaming || (streaming === true && !('stream_id' in metadata)))
    refuse('Half a stream')
  if (type === 'error' && (metadata.error !== true || component !== 'chat')) refuse('No error')
  if (component !== paneOf(message)) refuse('Another pane')
  return message
}

/** Code is shown in the web IDE, outputs of tools in the terminal, and everything else in the chat. */
function paneOf({ content, metadata }: DsAgentMessage): string {
  const { message_type: type } = metadata
  if (type === 'observation') return 'terminal'
  const isCode = type === 'tool_invocation' && metadata.language === 'python' && content.startsWith('```python')
  return isCode ? 'webide' : 'chat'
}
