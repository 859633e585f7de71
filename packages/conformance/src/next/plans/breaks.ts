import { fieldsOf, leavesOf, withValue } from '../contract/json.ts'
import { editsOf } from '../generate/edits.ts'
import { pathOf } from '../send/sender.ts'
import { type Accepted, eachAccepted, sendEdited, sendOnce } from './edited.ts'
import type { Plan, PlanContext } from './plan.ts'

/** Values that the contract does not allow. */
export const breaks: Plan = {
  id: 'breaks',
  says: 'Sends requests with one value that the contract does not allow, and with values that break parsers and stores.',
  wants: ['refusals-invalid', 'refusals-placed', 'responses-errors'],
  run: (context) =>
    eachAccepted(context, async (first) => {
      let accepted = first
      for (const edit of editsOf(first.operation, first.input, context.clock).filter(
        ({ isValid }) => !isValid,
      )) {
        if (context.signal.aborted) return
        const input = { ...edit.input, intent: { variantOf: accepted.sentAt, edit: edit.pointer } }
        const outcome = await sendOnce(context, first.operation, input)
        // A one-time value is used up, or perhaps used up, unless the request is refused.
        if (outcome.status < 400 || outcome.status >= 500 || outcome.status === 409) {
          const again = await sendEdited(context, first, { input: first.input, pointer: '', isValid: true })
          if (again?.isAccepted) accepted = { ...first, sentAt: again.sentAt }
        }
      }
      await sendTwice(context, accepted)
      await sendUnusual(context, accepted)
    }),
}

/** Each parameter twice. */
async function sendTwice({ send }: PlanContext, { operation, input, sentAt }: Accepted): Promise<void> {
  if (input.body !== undefined) return
  for (const [name, value] of Object.entries({ limit: '2', status: 'ATIVA', tax_id: '12345678909' }))
    await send(operation.id, {
      ...input,
      at: `${pathOf(operation, {})}?${name}=${value}&${name}=${value}`,
      intent: { variantOf: sentAt, edit: `/${name}` },
    })
}

/** Undeclared fields that break parsers and stores (RFC 8259, sections 6, 8.2 and 9). */
const FIELDS = [
  `"x_deep": ${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  '"x_huge": 1e400',
  '"__proto__": {"toString": 1}, "constructor": null',
]
/** An unpaired surrogate, and NUL, which many stores refuse. */
const TEXTS = ['a\ud800', 'a\u0000b']
/** Values of a parameter that break SQL statements, decoders and number parsers. */
const PARAMETERS = ["'", '\u0000', 'c_', '💰', '%', '9'.repeat(400)]

/** Sends what a service may accept or refuse, but must survive. */
async function sendUnusual(context: PlanContext, { operation, input }: Accepted): Promise<void> {
  const send = (body: string) => sendOnce(context, operation, { ...input, body })
  const names = input.body === undefined ? ['cursor', 'status', 'tax_id'] : []
  for (const name of names)
    for (const value of PARAMETERS) await context.send(operation.id, { ...input, query: { [name]: value } })
  if (input.body === undefined) return
  const json = JSON.stringify(withValue(input.body, '/tx_id', fieldsOf(input.body).tx_id && context.fresh()))
  for (const field of FIELDS) await send(`${json.slice(0, -1)},${field}}`)
  for (const text of TEXTS) await send(JSON.stringify(withTexts(input.body, text)))
}

/** A body whose free texts are replaced. */
function withTexts(body: unknown, text: string): unknown {
  const free = leavesOf(body).filter(([pointer, it]) => typeof it === 'string' && FREE.test(pointer))
  return free.reduce((edited, [pointer]) => withValue(edited, pointer, text), body)
}

const FREE = /\/(message|description|name|city|address_line|dict_key|emv|user_id|value)$/
