import type { Stage } from './mutant.ts'

const folder = 'packages/server/src/deliver'

/** Viewers of runs: what they share, how one waits, and how its stream ends. */
export const convoys: Stage = {
  name: 'deliver: viewers',
  tests: [
    'packages/server/test/convoy',
    'packages/server/test/deliver-sse',
    'packages/server/test/deliver-viewers',
    'packages/server/test/fan-out',
    'packages/server/test/holder-throws',
    'packages/server/test/viewers-leave',
    'test/faults-edge.test.ts',
  ],
  mutants: [
    {
      file: `${folder}/convoy.ts`,
      find: 'isPassed ? [] :',
      replace: 'false ? [] :',
      promise: 'chunks that no viewer gets are not encoded',
    },
    {
      file: `${folder}/follow.ts`,
      find: '    this.#viewer.leave()\n    this.#receiver.end(failure)',
      replace: '    this.#receiver.end(failure)',
      promise: 'a viewer that leaves frees the log',
    },
    {
      file: `${folder}/convoy.ts`,
      find: 'this.#kept[1].after <= added.after',
      replace: 'true',
      promise: 'a batch that a viewer waits for is not dropped',
    },
    {
      file: `${folder}/convoy.ts`,
      find: 'this.#lines.return().catch(() => undefined)',
      replace: '',
      promise: 'the last to leave frees the log',
    },
    {
      file: `${folder}/fan-out.ts`,
      find: '(isElder || other.after > position)',
      replace: 'other.after > position',
      promise: 'viewers at the same place travel together',
    },
    {
      file: `${folder}/fan-out.ts`,
      find: 'createConvoy(watch, isWhole ? position : 0)',
      replace: 'createConvoy(watch, position)',
      promise: 'a wire with a memory is formatted from its start',
    },
    {
      file: `${folder}/sse.ts`,
      find: '      this.#sink.cut()\n      throwUnlessOfLog',
      replace: '      this.#sink.end()\n      throwUnlessOfLog',
      promise: 'a stream that breaks off does not look like its end',
    },
    {
      file: `${folder}/sse.ts`,
      find: 'this.#end(failure ?? this.#fault)',
      replace: 'this.#end(failure)',
      promise: 'a status that cannot be sent is reported',
    },
    {
      file: `${folder}/follow-parts.ts`,
      find: 'if (failure === undefined) this.follow(this.#at + 1)\n    else this.#receiver.end(failure)',
      replace: 'void failure\n    this.follow(this.#at + 1)',
      promise: 'an error of the log cuts the viewers of a run',
    },
    {
      file: `${folder}/convoy.ts`,
      find: '  fail(error: unknown): void {\n    this.#failure = { error }\n',
      replace: '  fail(_error: unknown): void {\n',
      promise: 'a convoy passes the error of its log on',
    },
    {
      file: `${folder}/convoy.ts`,
      find: '    } catch (error) {\n      this.#failure = { error }\n    }\n    this.#wakeAll()',
      replace: '    } catch {\n      return\n    }\n    this.#wakeAll()',
      promise: 'an error of a wire reaches the viewers who wait',
    },
  ],
}
