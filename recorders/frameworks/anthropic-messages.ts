import Anthropic from '@anthropic-ai/sdk'
import { MODEL } from '../provider/scenario.ts'
import { recordProvider, tools } from '../provider-loop.ts'

await recordProvider('anthropic-messages', (provider, fetch, prompt) => {
  const client = new Anthropic({ baseURL: provider.url, apiKey: 'not-a-real-key', maxRetries: 0, fetch })
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: prompt }]
  return {
    async ask(streaming) {
      const request = {
        model: MODEL,
        max_tokens: 1000,
        messages,
        tools: tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
      }
      const { content } = await (streaming
        ? client.messages.stream(request).finalMessage()
        : client.messages.create(request))
      messages.push({ role: 'assistant', content })
      return content
        .filter((block) => block.type === 'tool_use')
        .map(({ id, name, input }) => ({ id, name, input: input as { readonly [field: string]: unknown } }))
    },
    addResults(results) {
      messages.push({
        role: 'user',
        content: results.map(({ id, output, failed }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: output,
          is_error: failed,
        })),
      })
    },
  }
})
