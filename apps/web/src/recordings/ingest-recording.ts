import type { Api } from '@millrace/core/client'

/** Sends a recording to the log, in a thread of its own that has the file's name. Resolves with the thread's id. */
export async function ingestRecording(api: Api, file: File, format: string): Promise<string> {
  const { id } = await api.createThread({ title: file.name })
  await api.ingest({ format, threadId: id, body: file })
  return id
}
