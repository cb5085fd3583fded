import type { ReasoningSegment } from '../fold/shapes.ts'
import { type IdRule, idRules } from './ids.ts'

/** How a service that speaks Chat Completions wants thoughts and ids back. */
export interface ChatVendor {
  /** Where the text of thoughts stands in an assistant message; absent if it takes none. */
  readonly reasoning?: 'reasoning_content' | 'reasoning' | 'reasoning_details' | 'parts'
  /** Which messages must have that field, empty if there was no thought. */
  readonly always?: boolean
  /** Models that take thoughts only after the last message of the user. */
  readonly onlyLastTurn?: RegExp
  /** Whether a message may name another field, in which its thoughts came. */
  readonly isNamed?: boolean
  /** Whether it takes the `extra_content` of calls, in which Gemini signs them; any other refuses a field that it does not know. */
  readonly takesExtra?: boolean
  readonly ids: IdRule
}

const { openai: ids, mistral } = idRules

/** The services by name. What is not listed takes no thoughts. */
export const chatVendors: { readonly [vendor: string]: ChatVendor } = {
  openai: { ids },
  azure: { ids },
  xai: { ids },
  qwen: { ids },
  deepseek: { reasoning: 'reasoning_content', always: true, onlyLastTurn: /\br1\b|reasoner/i, ids },
  groq: { reasoning: 'reasoning', ids },
  cerebras: { reasoning: 'reasoning', ids },
  mistral: { reasoning: 'parts', ids: mistral },
  openrouter: { reasoning: 'reasoning_details', ids },
  google: { takesExtra: true, ids },
  'openai-compatible': { reasoning: 'reasoning_content', isNamed: true, takesExtra: true, ids },
}

export const vendorOf = (name = 'openai'): ChatVendor =>
  (Object.hasOwn(chatVendors, name) ? chatVendors[name] : undefined) ?? { ids }

/** Whether a thought may go back in plain text: no other provider has sealed it. */
export const isPlainThought = ({ text, meta }: ReasoningSegment) =>
  text !== '' && meta?.anthropic === undefined && meta?.google === undefined
