import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { freeStringsOf } from '../../generate/free-strings.ts'
import type { Json } from '../../generate/schema/index.ts'
import { nodeOf, withValueAt } from '../../model/document.ts'
import type { Input } from '../../model/exchange.ts'
import { hasJsonBody, type OperationView } from '../../model/operation-view.ts'
import { withBase } from '../valid-requests.ts'

export const noServerError: Rule = {
  id: 'no-server-error',
  phase: 'responses',
  cites: 'contract',
  title: 'No request makes the service fail with 5xx.',
  advice: 'Find the request id in the logs of the service, and handle what it shows.',
  judgeResponse: ({ view, response }) =>
    response.status >= 500
      ? [
          {
            operation: view?.id,
            contract: view?.pointer ?? '',
            message: `Expected the service to cope, got ${response.status}.`,
            about: String(response.status),
            ...(response.status === 503 && { cites: UNAVAILABLE }),
          },
        ]
      : [],
  // What no other rule sends. The answers are judged as every answer is.
  run: (context) =>
    withBase(context, async (view, base) => {
      await context.each(oddBodies(context, view, base), async (body) => {
        const fresh = JSON.stringify(context.builder.renewed(view, base.body, ''))
        await context.send(view, base, { raw: { body: body(fresh) } })
      })
      for (const { name } of view.queryParameters)
        await context.each(ODD, (value) =>
          context.send(view, { ...base, query: { ...base.query, [name]: value } }).then(() => {}),
        )
    }),
}

const UNAVAILABLE = { standard: 'RFC 9110, section 15.6.4: the condition is temporary' }

/** Values of a parameter that end up in statements, in decoders and in numbers. */
const ODD = ["'", '\u0000', 'c_', '💰', '%', '9'.repeat(400)]

/** Members that parsers and stores trip over, none of which the contract mentions (RFC 8259, sections 6 and 8.2; 9). */
const MEMBERS = [
  `"x_deep": ${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  '"x_huge": 1e400',
  '"__proto__": {"toString": 1}, "constructor": null',
]

/** Texts that are no Unicode, and one that many stores refuse. */
const TEXTS = ['a\ud800', 'a\u0000b']

function oddBodies({ schemas }: Context, view: OperationView, { body }: Input): ((json: string) => string)[] {
  if (view.bodyPointer === undefined || !hasJsonBody(view)) return []
  const example = view.examples.find((it) => nodeOf(it).type === nodeOf(body).type) ?? body
  const free = freeStringsOf(schemas, { pointer: view.bodyPointer, body: example as Json })
  const texts = free.length > 0 ? TEXTS : []
  return [
    ...MEMBERS.map(
      (member) => (json: string) => json.replace(/(\{?)\}$/, (_, open) => `${open || ', '}${member}}`),
    ),
    ...texts.map(
      (text) => (json: string) =>
        JSON.stringify(free.reduce((made, it) => withValueAt(made, it, text), JSON.parse(json))),
    ),
  ]
}
