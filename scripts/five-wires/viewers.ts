import type { Viewer } from './watch-all.ts'

/** A viewer for each wire that is somebody else's protocol, over the transport of its clients. Two of them are cut. */
export const viewers: readonly Viewer[] = [
  { wire: 'ai-sdk', by: 'sse', cuts: 0 },
  { wire: 'ag-ui', by: 'sse', cuts: 0 },
  { wire: 'agent-event', by: 'sse', cuts: 3 },
  { wire: 'event-segments', by: 'sse', cuts: 0 },
  { wire: 'ds-agent', by: 'websocket', cuts: 3 },
]
