import OpenAI from 'openai'
import { MODEL } from '../provider/scenario.ts'
import { recordProvider, tools } from '../provider-loop.ts'

await recordProvider('openai-responses', (provider, fetch, prompt) => {
  const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'not-a-real-key', maxRetries: 0, fetch })
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: prompt }]
  return {
    async ask(streaming) {
      const request = {
        model: MODEL,
        input,
        store: false,
        tools: tools.map((tool) => ({ ...tool, type: 'function' as const, strict: false })),
      }
      const { output } = await (streaming
        ? client.responses.stream(request).finalResponse()
        : client.responses.create(request))
      input.push(...(output as OpenAI.Responses.ResponseInputItem[]))
      return output.flatMap((item) =>
        item.type === 'function_call' ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) }] : [],
      )
    },
    addResults(results) {
      for (const { id, output } of results) input.push({ type: 'function_call_output', call_id: id, output })
    },
  }
})
