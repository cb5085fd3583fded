export interface Credentials {
  /** Sent as a bearer token. Without one the browser's cookie speaks for the person. */
  readonly token?: string
}

type Headers = { readonly [name: string]: string }

export function headersOf({ token }: Credentials, headers: Headers): Record<string, string> {
  return token === undefined ? { ...headers } : { ...headers, authorization: `Bearer ${token}` }
}
