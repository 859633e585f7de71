import { fieldsOf, leavesOf, withValue } from '../contract/json.ts'
import { type Input, pathOf } from '../send/sender.ts'
import { type Accepted, eachAccepted, sendOnce } from './edits.ts'
import type { Plan, PlanContext } from './plan.ts'
import { renewedRequest } from './valid.ts'

/** Values that the contract does not allow. */
export const breaks: Plan = {
  id: 'breaks',
  says: 'Sends requests with one value that the contract does not allow, and with values that break parsers and stores.',
  wants: ['refusals-invalid', 'refusals-placed', 'responses-errors'],
  run: (context) =>
    eachAccepted(context, async (accepted) => {
      const { operation, sentAt, edits } = accepted
      // A conflict of a used one-time value would say nothing about the edit.
      let fresh = await renewedRequest(context, accepted.input)
      for (const edit of edits.filter(({ isValid }) => !isValid)) {
        if (context.signal.aborted || !fresh) return
        const input = withOneTimeValues(edit.input, fresh, edit.pointer)
        const intent = { variantOf: sentAt, edit: edit.pointer }
        const { status } = await sendOnce(context, operation, { ...input, intent })
        const isRefused = status >= 400 && status < 500 && status !== 409
        if (!isRefused) fresh = await renewedRequest(context, fresh)
      }
      await sendTwice(context, accepted)
      await sendUnusual(context, accepted)
    }),
}

/** A request with the one-time values of another one, apart from the one that is edited. */
function withOneTimeValues(input: Input, { body: fresh }: Input, edited: string): Input {
  const values = Object.entries(fieldsOf(fresh)).filter(
    ([name]) => /^(tx_id|initiation_id)$/.test(name) && edited !== `/${name}` && name in fieldsOf(input.body),
  )
  return values.length === 0
    ? input
    : { ...input, body: { ...fieldsOf(input.body), ...Object.fromEntries(values) } }
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
  const names = input.body === undefined ? ['cursor', 'status', 'tax_id'] : []
  for (const name of names)
    for (const value of PARAMETERS) await context.send(operation.id, { ...input, query: { [name]: value } })
  if (input.body === undefined) return
  const bodies = [
    ...FIELDS.map((field) => (body: unknown) => `${JSON.stringify(body).slice(0, -1)},${field}}`),
    ...TEXTS.map((text) => (body: unknown) => JSON.stringify(withTexts(body, text))),
  ]
  for (const bodyOf of bodies) {
    const fresh = await renewedRequest(context, input)
    if (fresh) await sendOnce(context, operation, { ...fresh, body: bodyOf(fresh.body) })
  }
}

/** A body whose free texts are replaced, or what it names if it has none: a key, a code or a user. */
function withTexts(body: unknown, text: string): unknown {
  const texts = leavesOf(body).filter(([, it]) => typeof it === 'string')
  const free = texts.filter(([pointer]) => FREE.test(pointer) && !pointer.startsWith('/beneficiary/'))
  const replaced = free.length > 0 ? free : texts.filter(([pointer]) => NAMING.test(pointer))
  return replaced.reduce((edited, [pointer]) => withValue(edited, pointer, text), body)
}

const FREE = /\/(message|description|name|city|address_line|value)$/
const NAMING = /\/(dict_key|emv|user_id)$/
