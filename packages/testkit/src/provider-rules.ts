import type { JsonObject } from '@millrace/core/json'
import { aiSdkRules } from './provider-rules/ai-sdk.ts'
import { anthropicRules } from './provider-rules/anthropic.ts'
import { chatRules } from './provider-rules/chat.ts'
import { geminiRules } from './provider-rules/gemini.ts'
import { responsesRules } from './provider-rules/responses.ts'
import type { ProviderRequest, ProviderRule, RequestFacts } from './provider-rules/rule.ts'

/** The rules of each target of `@millrace/core/messages`. */
export const providerRules = {
  anthropic: anthropicRules,
  'openai-chat': chatRules,
  'openai-responses': responsesRules,
  gemini: geminiRules,
  'ai-sdk': aiSdkRules,
} as const satisfies { readonly [target: string]: readonly ProviderRule[] }

export type RuledTarget = keyof typeof providerRules

/** Why a provider would refuse a request: each with the id of the rule. */
export function refusalsOf(
  request: ProviderRequest & { readonly target: RuledTarget },
  facts: RequestFacts,
): readonly string[] {
  const messages = request.messages as readonly JsonObject[]
  return providerRules[request.target].flatMap((rule) =>
    [...rule.check(messages, request, facts)].map((breach) => `${rule.id}: ${breach}`),
  )
}
