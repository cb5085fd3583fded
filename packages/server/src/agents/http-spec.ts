import type { EndpointName } from './endpoints/index.ts'
import type { CallLimits } from './outbound/limits.ts'
import type { Target } from './outbound/target.ts'

/** A service that is an agent: what is called, and with what. */
export interface HttpSpec {
  readonly name: string
  readonly title: string
  readonly description?: string
  readonly endpoint: EndpointName
  readonly target: Target
  /** As the file has them, with `${NAME}` for what stays in the environment. */
  readonly headers: { readonly [name: string]: string }
  /** Variables that headers may name. */
  readonly env: readonly string[]
  /** The parser of the stream; default: that of the endpoint. */
  readonly format?: string
  /** Which of a service's agents, where it has several. */
  readonly assistant?: string
  readonly limits: CallLimits
}
