import OpenAI from 'openai'
import { MODEL } from '../provider/scenario.ts'
import { recordProvider, tools } from '../provider-loop.ts'

await recordProvider('openai-chat', (provider, fetch, prompt) => {
  const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'not-a-real-key', maxRetries: 0, fetch })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: prompt }]
  return {
    async ask(streaming) {
      const request = {
        model: MODEL,
        messages,
        tools: tools.map((tool) => ({ type: 'function' as const, function: tool })),
      }
      const { choices } = await (streaming
        ? client.chat.completions.stream({ ...request, stream_options: { include_usage: true } }).finalChatCompletion()
        : client.chat.completions.create(request))
      const message = choices[0]?.message
      if (message === undefined) throw new Error('The answer has no message')
      messages.push(message)
      return (message.tool_calls ?? [])
        .filter((call) => call.type === 'function')
        .map((call) => ({ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) }))
    },
    addResults(results) {
      for (const { id, output } of results) messages.push({ role: 'tool', tool_call_id: id, content: output })
    },
  }
})
