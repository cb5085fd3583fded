/** The error of a request: a code for the program, a sentence for the person. Status 0: there was no response. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.code = code
  }
}

/** The error of a response that is not a success. Its body may come from a proxy instead of the server. */
export async function errorOfResponse(response: Response): Promise<ApiError> {
  const { status } = response
  try {
    const { error } = (await response.json()) as { readonly error: { readonly code: string; readonly message: string } }
    return new ApiError(status, String(error.code), String(error.message))
  } catch (cause) {
    return new ApiError(status, 'unexpected-answer', `The server answered with status ${status}.`, { cause })
  }
}

/** The error of a request that got no response. */
export function connectionError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause
  return new ApiError(0, 'no-answer', 'The server could not be reached.', { cause })
}
