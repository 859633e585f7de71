import type { Context } from '../../engine/context.ts'
import { renewed } from '../../generate/fresh-values.ts'
import { valueAt } from '../../model/document.ts'
import type { Exchange, Input } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'

interface ValueContext {
  readonly context: Pick<Context, 'clock' | 'random' | 'profile'>
  readonly view: OperationView
  /** The valid request that is edited. */
  readonly valid: Pick<Input, 'body'>
  /** The response that created the record which the request uses. */
  readonly record: Exchange | undefined
  readonly pointer: string
}

/**
 * Computes the value that a behaviour file declares for a field of a request. Strings that begin with $ are computed:
 * spec/behaviour/schema.yaml describes the notation.
 *
 * @returns undefined if it cannot be computed, such as an edit of a code without the edited part.
 */
export function computedValue(written: unknown, context: ValueContext): unknown {
  if (typeof written === 'string') return computedString(written, context)
  if (typeof written !== 'object' || written === null) return written
  const entries = Object.entries(written).map(([key, it]) => [key, computedValue(it, context)] as const)
  if (entries.some(([, it]) => it === undefined)) return undefined
  return Array.isArray(written) ? entries.map(([, it]) => it) : Object.fromEntries(entries)
}

function computedString(written: string, context: ValueContext): unknown {
  const [, name = '', argument = ''] = /^\$(\w+)(?:\((.*)\)|([+-]\d+))?$/.exec(written) ?? []
  const compute = COMPUTED[name]
  return compute ? compute(context, argument || written.slice(name.length + 1)) : written
}

const COMPUTED: Readonly<Record<string, (context: ValueContext, argument: string) => unknown>> = {
  today: ({ context }, days) => context.clock.day(Number(days)),
  other: ({ view, valid, pointer }) =>
    view.examples
      .map((it) => valueAt(it, pointer))
      .find((it) => it !== undefined && it !== valueAt(valid.body, pointer)),
  source: ({ record }, pointer) => valueAt(record?.body, pointer),
  unissued: ({ context, valid, pointer }) => renewed(String(valueAt(valid.body, pointer)), context.random),
  repeat: (_, argument) => {
    const [text = '', times = ''] = argument.split(',')
    return text.repeat(Number(times))
  },
  edited: ({ context, valid, pointer }, name) => {
    const edit = context.profile.edits[name]
    if (!edit) throw new Error(`spec/behaviour names the edit "${name}", which does not exist`)
    return edit(String(valueAt(valid.body, pointer)))
  },
}
