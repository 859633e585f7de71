import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import type { Json } from '../../generate/schema/index.ts'
import { freeStringsOf } from '../../generate/string-variants.ts'
import { nodeOf, withValueAt } from '../../model/document.ts'
import type { Input } from '../../model/exchange.ts'
import type { OperationView } from '../../model/operation-view.ts'
import { withValidRequests } from '../common/valid-requests.ts'
import { placeOf } from './place.ts'

export const noServerError: Rule = {
  id: 'no-server-error',
  phase: 'responses',
  cites: 'contract',
  title: 'No request leads to a 5xx.',
  advice: 'Find the request id in the logs of the service, and handle the exception.',
  judgeResponse: ({ view, response }) =>
    response.status >= 500
      ? [
          {
            ...placeOf({ view }),

            message: `Expected no server error, got ${response.status}.`,
            about: String(response.status),
            ...(response.status === 503 && { cites: UNAVAILABLE }),
          },
        ]
      : [],
  // Sends values that no other rule sends. `judgeResponse` judges the responses.
  run: (context) =>
    withValidRequests(context, async (view, valid) => {
      await context.each(unusualBodies(context, view, valid), async (body) => {
        const fresh = JSON.stringify(context.builder.renewed(view, valid.body, ''))
        await context.send(view, valid, { raw: { body: body(fresh) } })
      })
      for (const { name } of view.queryParameters)
        await context.each(UNUSUAL, (value) =>
          context.send(view, { ...valid, query: { ...valid.query, [name]: value } }).then(() => {}),
        )
    }),
}

const UNAVAILABLE = { standard: 'RFC 9110, section 15.6.4: the condition is temporary' }

/** Values of a parameter that break SQL statements, decoders and number parsers. */
const UNUSUAL = ["'", '\u0000', 'c_', '💰', '%', '9'.repeat(400)]

/** Undeclared fields that break parsers and stores (RFC 8259, sections 6, 8.2 and 9). */
const FIELDS = [
  `"x_deep": ${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  '"x_huge": 1e400',
  '"__proto__": {"toString": 1}, "constructor": null',
]

/** An unpaired surrogate, and NUL, which many stores refuse. */
const STRINGS = ['a\ud800', 'a\u0000b']

function unusualBodies(
  { schemas }: Context,
  view: OperationView,
  { body }: Input,
): ((json: string) => string)[] {
  if (view.bodyPointer === undefined) return []
  const example = view.examples.find((it) => nodeOf(it).type === nodeOf(body).type) ?? body
  const free = freeStringsOf(schemas, { pointer: view.bodyPointer, body: example as Json })
  const strings = free.length > 0 ? STRINGS : []
  return [
    ...FIELDS.map(
      (field) => (json: string) => json.replace(/(\{?)\}$/, (_, open) => `${open || ', '}${field}}`),
    ),
    ...strings.map(
      (value) => (json: string) =>
        JSON.stringify(free.reduce((edited, it) => withValueAt(edited, it, value), JSON.parse(json))),
    ),
  ]
}
