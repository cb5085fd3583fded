export type Role = 'system' | 'user' | 'assistant' | 'tool'

export interface ReasoningPart {
  summary_index: number
  type: 'summary_text'
  text: string
  sequence_number: number
  is_complete: boolean
  /** In ms. */
  created_at: number
}

export interface TextSegment {
  type: 'text'
  text: string
  id?: string
}

export interface ToolCallSegment {
  type: 'tool_call'
  id: string
  name: string
  args: object
  started_at?: number
  completed_at?: number
}

export interface ToolResultSegment {
  type: 'tool_result'
  id: string
  output: object
  error?: string
  completed_at?: number
}

export interface ReasoningSegment {
  type: 'reasoning'
  id: string
  output_index: number
  sequence_number: number
  parts: ReasoningPart[]
  combined_text?: string
  streaming?: boolean
  streaming_part_index?: number
  started_at?: number
  completed_at?: number
}

interface BuiltInSegment<Type extends string, Status extends string> {
  type: Type
  id: string
  output_index: number
  sequence_number: number
  status: 'in_progress' | Status | 'completed' | 'failed'
  started_at?: number
  completed_at?: number
  streaming?: boolean
}

export type WebSearchSegment = BuiltInSegment<'web_search_call', 'searching'>

export interface CodeInterpreterSegment extends BuiltInSegment<'code_interpreter_call', 'interpreting'> {
  code?: string
}

export type Segment =
  | TextSegment
  | ToolCallSegment
  | ToolResultSegment
  | ReasoningSegment
  | WebSearchSegment
  | CodeInterpreterSegment

export interface ResponseMetadata {
  total_output_items?: number
  completion_status?: 'complete' | 'partial' | 'interrupted'
  usage?: { reasoning_tokens?: number; completion_tokens?: number; total_tokens?: number }
  openai_response_id?: string
  model?: string
}

/** One message, while it streams and as it is stored. */
export interface Event {
  id: string
  role: Role
  segments: Segment[]
  /** When it began, in ms. */
  ts: number
  response_metadata?: ResponseMetadata
}
