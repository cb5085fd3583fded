import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Mill } from './mill.ts'

const recordings = new URL('../../apps/web/public/recordings/', import.meta.url)

/** The recordings that the app ships, and their formats. */
export const shipped = {
  'dropped-stream': 'claude-agent-sdk',
  'flaky-test': 'codex-exec',
  'crash-mid-tool': 'claude-agent-sdk',
} as const

const recordingPath = (name: keyof typeof shipped): string => fileURLToPath(new URL(`${name}.jsonl`, recordings))

/** Posts a shipped recording, as a program would. Resolves with its thread. */
export async function feed(
  mill: Mill,
  name: keyof typeof shipped,
  query: Record<string, string> = {},
): Promise<string> {
  const { threadId } = await post(mill, { format: shipped[name], ...query }, readFileSync(recordingPath(name), 'utf8'))
  return threadId
}

/** Posts a stream, as a program would. */
export async function post(
  mill: Mill,
  query: Record<string, string>,
  body: string,
): Promise<{ readonly threadId: string }> {
  const response = await fetch(`${mill.url}/api/ingest?${new URLSearchParams(query)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mill.token}` },
    body,
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { readonly threadId: string }
}
