import { leavesOf, withValue } from '../contract/json.ts'
import { type Edit, edited } from '../generate/edits.ts'
import { pathOf } from '../send/sender.ts'
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
      let valid = await renewedRequest(context, accepted.input)
      const refused: Edit[] = []
      for (const edit of edits.filter(({ isValid }) => !isValid)) {
        if (context.signal.aborted || !valid) return
        const intent = { variantOf: sentAt, edit: edit.pointer }
        const { status } = await sendOnce(context, operation, { ...edited(valid, [edit]), intent })
        const isRefused = status >= 400 && status < 500 && status !== 409
        if (status === 400) refused.push(edit)
        // A conflict of a used one-time value would say nothing about the next edit.
        if (!isRefused) valid = await renewedRequest(context, valid)
      }
      const [first, second] = apart(refused)
      if (valid && first && second) {
        const intent = { variantOf: sentAt, edits: [first.pointer, second.pointer] }
        await sendOnce(context, operation, { ...edited(valid, [first, second]), intent })
      }
      if (accepted.input.body === undefined) await sendParameters(context, accepted)
      else await sendUnusual(context, accepted)
    }),
}

/** Edits of different fields, the first of each. Those that choose between alternatives change what the others mean. */
function apart(edits: readonly Edit[]): Edit[] {
  const free = edits.filter(({ pointer }) => !/^(\/(type|emv|initiation_id|dict_key))?$/.test(pointer))
  return [...Map.groupBy(free, ({ pointer }) => pointer.split('/')[1]).values()].flatMap(([it]) => it ?? [])
}

/** Values of a parameter that break SQL statements, decoders and number parsers. */
const PARAMETERS = ["'", '\u0000', 'c_', '💰', '%', '9'.repeat(400)]

/** Each parameter twice, and with values that a service may accept or refuse, but must survive. */
async function sendParameters({ send }: PlanContext, { operation, input, sentAt }: Accepted): Promise<void> {
  const { id } = operation
  for (const [name, value] of Object.entries({ limit: '2', status: 'ATIVA', tax_id: '12345678909' })) {
    const at = `${pathOf(operation, {})}?${name}=${value}&${name}=${value}`
    await send(id, { ...input, at, intent: { variantOf: sentAt, edit: `/${name}` } })
  }
  for (const name of ['cursor', 'status', 'tax_id'])
    for (const value of PARAMETERS) await send(id, { ...input, query: { [name]: value } })
}

/** Undeclared fields that break parsers and stores (RFC 8259, sections 6, 8.2 and 9). */
const FIELDS = [
  `"x_deep": ${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  '"x_huge": 1e400',
  '"__proto__": {"toString": 1}, "constructor": null',
]
/** An unpaired surrogate, and NUL, which many stores refuse. */
const TEXTS = ['a\ud800', 'a\u0000b']
/** Sends what a service may accept or refuse, but must survive. */
async function sendUnusual(context: PlanContext, { operation, input }: Accepted): Promise<void> {
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
