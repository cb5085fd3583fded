const titles: { readonly [format: string]: string } = {
  a2a: 'A2A',
  'ag-ui': 'AG-UI',
  'ai-sdk': 'AI SDK',
  acp: 'ACP',
  'bedrock-converse': 'Bedrock Converse',
  'claude-agent-sdk': 'Claude Agent SDK',
  'codex-exec': 'Codex',
  'ds-agent': 'DS agent',
  'gemini-cli': 'Gemini CLI',
  langgraph: 'LangGraph',
  'langchain-events': 'LangChain events',
  'openai-agents': 'OpenAI Agents',
  'openai-chat': 'OpenAI Chat',
  'openai-responses': 'OpenAI Responses',
  opencode: 'OpenCode',
  smolagents: 'smolagents',
}

/** The display name of a format or a wire. */
export function formatTitle(format: string): string {
  const [first = '', ...rest] = format.split('-')
  return titles[format] ?? [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ')
}
