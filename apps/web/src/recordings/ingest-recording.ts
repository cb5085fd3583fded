import { type Api, ApiError } from '@millrace/core/client'

/** Sends a recording to the log, in a thread of its own that has the file's name. Answers with the thread. */
export async function ingestRecording(api: Api, file: File, format: string): Promise<string> {
  const { id } = await api.createThread({ title: file.name })
  const query = new URLSearchParams({ format, threadId: id })
  const response = await fetch(`/api/ingest?${query}`, {
    method: 'POST',
    body: file,
    headers: { 'content-type': 'application/octet-stream' },
    credentials: 'same-origin',
  }).catch((cause) => {
    throw new ApiError(0, 'no-answer', 'The server could not be reached.', { cause })
  })
  if (!response.ok) throw await refusalOf(response)
  return id
}

async function refusalOf(response: Response): Promise<ApiError> {
  const { status } = response
  const body = await response.json().catch(() => undefined)
  const { code = 'unexpected-answer', message = `The server answered with status ${status}.` } = body?.error ?? {}
  return new ApiError(status, String(code), String(message))
}
