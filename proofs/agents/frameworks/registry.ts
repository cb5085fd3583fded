/** A framework whose agent is a file, in `docs/frameworks`. */
export interface Framework {
  /** The page of the documentation that has its files. */
  readonly page: string
  readonly title: string
  /** The packages whose versions the report names. */
  readonly packages: readonly string[]
  /** What leads it to the provider at this address. */
  environment(url: string): { readonly [name: string]: string }
  /** What the framework itself sends of an earlier turn: `calls` with their results, or `texts` alone. */
  readonly history: 'calls' | 'texts'
}

const KEY = 'not-a-real-key'

/** The frameworks, in the order of the report. */
export const frameworks: readonly Framework[] = [
  {
    page: 'ai-sdk',
    title: 'AI SDK',
    packages: ['ai', '@ai-sdk/anthropic'],
    environment: (url) => ({ ANTHROPIC_BASE_URL: `${url}/v1`, ANTHROPIC_API_KEY: KEY }),
    history: 'calls',
  },
  {
    page: 'langgraph',
    title: 'LangGraph',
    packages: ['@langchain/langgraph', '@langchain/anthropic'],
    environment: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY }),
    history: 'calls',
  },
  {
    page: 'openai-agents',
    title: 'OpenAI Agents SDK',
    packages: ['@openai/agents'],
    environment: (url) => ({
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: KEY,
      OPENAI_AGENTS_DISABLE_TRACING: '1',
    }),
    history: 'texts',
  },
  {
    page: 'claude-agent-sdk',
    title: 'Claude Agent SDK',
    packages: ['@anthropic-ai/claude-agent-sdk'],
    environment: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '0',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      // Otherwise the tools of a server are hidden until a search finds them.
      ENABLE_TOOL_SEARCH: 'false',
    }),
    history: 'calls',
  },
]
