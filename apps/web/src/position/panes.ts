/** The panes beside the chat, in the order of their tabs. */
export const panes = ['code', 'terminal', 'files', 'lens'] as const

export type PaneName = (typeof panes)[number]

/** What the page of a thread shows at the left. */
export type ViewName = 'chat' | 'timeline'
