import type { Spans } from '@millrace/core/spans'

/** What the marks mean, in words. Only what occurs is explained. */
export function Legend({ times, hasPath }: { readonly times: Spans; readonly hasPath: boolean }) {
  const kinds = new Set(times.spans.flatMap(({ phases }) => phases.map(({ kind }) => kind)))
  return (
    <p className="tl-legend">
      <span>
        <i className="fill-wait tone-model" />
        waits: first token, input, what it holds
      </span>
      <span>
        <i className="fill-work tone-model" />
        works
      </span>
      {kinds.has('person') && (
        <span>
          <i className="fill-hatch tone-wait" />
          waits for a person
        </span>
      )}
      {kinds.has('failed') && (
        <span>
          <i className="fill-hatch tone-bad" />
          failed, tried again
        </span>
      )}
      {hasPath && (
        <>
          <span>
            <i className="tl-legend-path" />
            critical path: what the run waited for
          </span>
          <span>
            <i className="fill-work tone-tool is-faded" />
            off the path
          </span>
        </>
      )}
    </p>
  )
}
