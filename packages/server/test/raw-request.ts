import { request } from 'node:http'
import type { Serving } from './serving.ts'

export type Headers = { readonly [name: string]: string }

/** A request with any headers; `fetch` refuses to send some of them. */
export function ask({ port }: Serving, method: string, path: string, headers: Headers) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers }, async (response) => {
      let text = ''
      for await (const piece of response.setEncoding('utf8')) text += piece
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
    })
    asked.on('error', reject)
    asked.end()
  })
}
