/** The tools whose calls agents print as `search`; the first is the name that such a call gets. */
export const searchTools = ['internet_search', 'tavily_search'] as const

/** The tools whose calls agents may print as todo lines. */
export const todoTools: readonly string[] = ['write_todos', 'TodoWrite']

/** The tools whose calls agents may print as subagent lines. */
export const subagentTools: readonly string[] = ['task', 'Task', 'Agent']
