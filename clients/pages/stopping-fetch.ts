/** A `fetch` for clients of /api/chat and /api/ag-ui: aborting a request stops the conversation. */
export async function stoppingFetch(url: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
  const [address] = String(url).split('?')
  const { id, threadId, messages = [] } = JSON.parse(String(init.body ?? '{}'))
  const body = id ? { messageId: messages.at(-1)?.id } : { threadId }
  const stop = () =>
    fetch(id ? `${address}/${id}/stop` : `${address}/stop`, {
      method: 'POST',
      headers: init.headers ?? {},
      credentials: init.credentials ?? 'same-origin',
      body: JSON.stringify(body),
      keepalive: true,
    }).catch(console.error)
  if (init.method === 'POST') init.signal?.addEventListener('abort', stop)
  return fetch(url, init)
}
