import { type Content, GoogleGenAI, type Part } from '@google/genai'
import { MODEL } from '../provider/scenario.ts'
import { recordProvider, tools } from '../provider-loop.ts'

await recordProvider('gemini', (provider, fetch, prompt) => {
  const client = new GoogleGenAI({ apiKey: 'not-a-real-key', httpOptions: { baseUrl: provider.url } })
  const contents: Content[] = [{ role: 'user', parts: [{ text: prompt }] }]
  const functionDeclarations = tools.map(({ parameters, ...tool }) => ({ ...tool, parametersJsonSchema: parameters }))

  async function partsOf(streaming: boolean): Promise<Part[]> {
    const request = { model: MODEL, contents, config: { tools: [{ functionDeclarations }] } }
    if (!streaming) return (await client.models.generateContent(request)).candidates?.[0]?.content?.parts ?? []
    const parts: Part[] = []
    for await (const chunk of await client.models.generateContentStream(request)) {
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []))
    }
    return parts
  }

  return {
    async ask(streaming) {
      // This client has no option for fetch.
      globalThis.fetch = fetch
      const parts = await partsOf(streaming)
      contents.push({ role: 'model', parts })
      return parts
        .flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]))
        .map(({ id = '', name = '', args = {} }) => ({ id, name, input: args }))
    },
    addResults(results) {
      const parts = results.map(({ id, name, output, failed }) => ({
        functionResponse: { id, name, response: failed ? { error: output } : { output } },
      }))
      contents.push({ role: 'user', parts })
    },
  }
})
