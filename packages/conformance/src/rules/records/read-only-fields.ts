import type { Context } from '../../engine/context.ts'
import { isSameInstant } from '../../model/date-times.ts'
import { below, valueAt } from '../../model/document.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { isMarked } from '../../model/read-only.ts'
import { propertiesOf, propertyNames, successSchemas } from '../../model/schema-properties.ts'

/** A moment that no service shows by itself. */
const LONG_AGO = '2001-02-03T04:05:06Z'

/**
 * A field that is `readOnly` in the responses is the service's own: a service ignores or refuses a request that sets it
 * (JSON Schema Validation 2020-12, section 9.4).
 */
export async function tryReadOnly(context: Context, view: OperationView): Promise<void> {
  const usual = await context.accepted(view.id)
  for (const [name, pointer] of readOnlyFields(context, view)) {
    const value = anotherValue(usual?.body, name)
    if (value === undefined) continue
    const created = await context.accepted(view.id, { set: { [below('', name)]: value } })
    const shown = valueAt(created?.body, below('', name))
    const isTaken = shown === value || isSameInstant(shown, value)
    const message = `${view.id} takes ${name} from the request; expected its own value, since it is readOnly.`
    if (created) context.expect(created, isTaken ? message : undefined, { about: name, contract: pointer })
  }
}

/** Read-only properties of the responses that the request does not have. */
function readOnlyFields({ contract: { document } }: Context, view: OperationView) {
  const sent = view.bodyPointer === undefined ? [] : propertyNames(document, view.bodyPointer)
  const shown = successSchemas(document, view).flatMap((schema) => propertiesOf(document, schema))
  return shown.filter(([name, it]) => !sent.includes(name) && isMarked(document, it, 'readOnly'))
}

/** A value that differs from the one that a response shows; undefined where it is neither a number nor a moment. */
function anotherValue(body: unknown, name: string): unknown {
  const shown = valueAt(body, below('', name))
  // No counter reaches it.
  if (typeof shown === 'number') return shown + 7_654_321
  return isSameInstant(shown, shown) ? LONG_AGO : undefined
}
