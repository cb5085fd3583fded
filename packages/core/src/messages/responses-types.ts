import type { Json, JsonObject } from '../json.ts'
import type { Verbatim } from './request.ts'

// Arrays are mutable, because the types of the provider's own library take no readonly ones.

export type ResponsesMedia =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail: 'auto' }
  | { readonly type: 'input_file'; readonly filename?: string; readonly file_data?: string; readonly file_url?: string }

export type ResponsesContent =
  | { readonly type: 'output_text'; readonly text: string; readonly annotations: JsonObject[] }
  | { readonly type: 'refusal'; readonly refusal: string }

export interface ResponsesReasoning {
  readonly type: 'reasoning'
  readonly id: string
  readonly summary: { readonly type: 'summary_text'; readonly text: string }[]
  readonly content?: { readonly type: 'reasoning_text'; readonly text: string }[]
  readonly encrypted_content?: string
}

export interface ResponsesCall {
  readonly type: 'function_call'
  readonly id?: string
  readonly call_id: string
  readonly name: string
  readonly arguments: string
  readonly namespace?: string
  readonly caller?: Json
}

export interface ResponsesOutput<File = never> {
  readonly type: 'function_call_output' | 'custom_tool_call_output'
  readonly call_id: string
  readonly output: string | (ResponsesMedia | File)[]
}

/** An output message of the API itself, or one that it does not have yet. */
export type ResponsesMessage<File = never> =
  | {
      readonly type: 'message'
      readonly id: string
      readonly role: 'assistant'
      readonly status: 'completed' | 'incomplete'
      readonly content: ResponsesContent[]
      readonly phase?: 'commentary' | 'final_answer'
    }
  | {
      readonly type: 'message'
      readonly role: 'user' | 'assistant' | 'system'
      readonly content: string | (ResponsesMedia | File)[]
      readonly phase?: 'commentary' | 'final_answer'
    }

export type ResponsesItem<File = never> =
  | ResponsesMessage<File>
  | ResponsesReasoning
  | ResponsesCall
  | ResponsesOutput<File>
  | {
      readonly type: 'custom_tool_call'
      readonly id?: string
      readonly call_id: string
      readonly name: string
      readonly input: string
    }
  /** Items of the provider's own tools, and what it keeps of a conversation: they go back as they came. */
  | Verbatim<OwnItemType>

export type OwnItemType =
  | 'web_search_call'
  | 'file_search_call'
  | 'code_interpreter_call'
  | 'image_generation_call'
  | 'mcp_call'
  | 'mcp_list_tools'
  | 'mcp_approval_request'
  | 'mcp_approval_response'
  | 'computer_call'
  | 'computer_call_output'
  | 'local_shell_call'
  | 'local_shell_call_output'
  | 'shell_call'
  | 'shell_call_output'
  | 'apply_patch_call'
  | 'apply_patch_call_output'
  | 'tool_search_call'
  | 'tool_search_output'
  | 'program'
  | 'program_output'
  | 'compaction'
  | 'additional_tools'
